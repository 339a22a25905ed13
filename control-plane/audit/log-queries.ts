import type { Db, Storage } from '../storage/open.ts';
import { countOf } from '../storage/count.ts';
import { matchesFilter, type Kind, type LogFilter, type Span, splitByDay } from './log-rules.ts';
import { DAY_MS } from '../lib/days.ts';

export interface Paging {
  limit: number;
  offset: number;
}

/** Columns of an entry, without those that only the chain uses. */
export const entryColumns = [
  'id',
  'sequence',
  'actor_type',
  'actor_id',
  'action',
  'resource_type',
  'resource_id',
  'metadata',
  'ip',
  'created_at',
  'hash',
] as const;

/** Newest first. The cost depends on the page size, not on the length of the log. */
export async function listEntries(
  { reader, bulk }: Storage,
  tenantId: string,
  filter: LogFilter,
  paging: Paging,
) {
  const sequences = await findSequences(reader, tenantId, filter, paging);
  return reader
    .selectFrom('audit_entries')
    .select(entryColumns)
    .where('tenant_id', '=', tenantId)
    .where('sequence', 'in', bulk.list(sequences))
    .orderBy('created_at', 'desc')
    .orderBy('sequence', 'desc')
    .execute();
}

/** Sequence numbers of a page. One index is ordered by kind and time; its ranges are merged. */
async function findSequences(
  db: Db,
  tenantId: string,
  filter: LogFilter,
  { limit, offset }: Paging,
): Promise<number[]> {
  const all = entriesIn(db, tenantId, spanOf(filter)).select(['created_at', 'sequence']);
  const inOrder = (query: typeof all) =>
    query.orderBy('created_at', 'desc').orderBy('sequence', 'desc');
  if (filter.actor_type === undefined && filter.action === undefined) {
    const rows = await inOrder(all).limit(limit).offset(offset).execute();
    return rows.map(({ sequence }) => sequence);
  }
  const kinds = await kindsIn(db, tenantId, filter);
  const [first, ...more] = kinds.map((kind) =>
    db
      .selectFrom(
        inOrder(all.where('actor_type', '=', kind.actor_type).where('action', '=', kind.action))
          .limit(limit + offset)
          .as('of_kind'),
      )
      .select(['created_at', 'sequence']),
  );
  if (!first) return [];
  const rows = await db
    .selectFrom(more.reduce((union, next) => union.unionAll(next), first).as('found'))
    .select('sequence')
    .orderBy('created_at', 'desc')
    .orderBy('sequence', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(({ sequence }) => sequence);
}

/** Number of matching entries. Whole days come from stored counts. */
export async function countEntries(db: Db, tenantId: string, filter: LogFilter): Promise<number> {
  const { days, parts } = splitByDay(filter);
  const whole = await totalsIn(db, tenantId, days);
  let count = whole.filter(matchesFilter(filter)).reduce((sum, kind) => sum + kind.count, 0);
  if (parts.length === 0) return count;
  const kinds = await kindsIn(db, tenantId, filter);
  const actions = [...new Set(kinds.map(({ action }) => action))];
  if (actions.length === 0) return count;
  for (const part of parts) {
    let entries = entriesIn(db, tenantId, part);
    if (filter.actor_type) entries = entries.where('actor_type', '=', filter.actor_type);
    if (filter.action) entries = entries.where('action', 'in', actions);
    count += await countOf(entries);
  }
  return count;
}

/** Kinds of entries on the days that the range overlaps. */
async function kindsIn(db: Db, tenantId: string, filter: LogFilter): Promise<Kind[]> {
  const { from, to } = spanOf(filter);
  const days = { from: Math.floor(from / DAY_MS), to: Math.ceil(to / DAY_MS) };
  const kinds = await totalsIn(db, tenantId, days);
  return kinds.filter(matchesFilter(filter));
}

const spanOf = ({ start_date, end_date }: LogFilter): Span => ({
  from: start_date ?? 0,
  to: end_date ?? Infinity,
});

function totalsIn(db: Db, tenantId: string, { from, to }: Span) {
  return db
    .selectFrom('audit_totals')
    .select((eb) => ['actor_type', 'action', eb.fn.sum<number>('count').as('count')])
    .where('tenant_id', '=', tenantId)
    .where('day', '>=', from)
    .$if(to !== Infinity, (query) => query.where('day', '<', to))
    .groupBy(['actor_type', 'action'])
    .execute();
}

const entriesIn = (db: Db, tenantId: string, { from, to }: Span) =>
  db
    .selectFrom('audit_entries')
    .where('tenant_id', '=', tenantId)
    .where('created_at', '>=', from)
    .$if(to !== Infinity, (query) => query.where('created_at', '<', to));
