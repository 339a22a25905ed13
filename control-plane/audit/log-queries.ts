import { type SelectQueryBuilder, sql } from 'kysely';
import { type BoundedCount, countBounded, countOf } from '../storage/bounded-count.ts';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import { valueList } from '../storage/value-list.ts';
import {
  matchesFilter,
  type EventKind,
  type LogFilter,
  type LogRange,
  splitByDay,
} from './log-rules.ts';
import { DAY_MS } from '#lib/time-units.ts';

export interface LogPage {
  limit: number;
  offset: number;
  direction: 'asc' | 'desc';
}

/** The columns of an entry, without those that only the chain uses. */
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

/** Returns the entries with these sequence numbers, in that order. */
export async function entriesOf(db: Db, tenantId: string, sequences: readonly number[]) {
  const rows = await db
    .selectFrom('audit_entries')
    .select(entryColumns)
    .where('tenant_id', '=', tenantId)
    .where('sequence', 'in', valueList(sequences))
    .execute();
  const bySequence = new Map(rows.map((row) => [row.sequence, row]));
  return sequences.flatMap((sequence) => bySequence.get(sequence) ?? []);
}

/**
 * Finds the sequence numbers of a page in order of time. It merges ranges of an index, each of
 * which is in this order, so that the cost depends on the page size and not on the length of the
 * log.
 */
export async function findSequences(
  db: Db,
  tenantId: string,
  filter: LogFilter,
  { limit, offset, direction }: LogPage,
): Promise<number[]> {
  const inOrder = (query: Entries) =>
    query
      .select(['created_at', 'sequence'])
      .orderBy('created_at', direction)
      .orderBy('sequence', direction);
  const ranges = await rangesOf(db, tenantId, filter);
  const [first, ...more] = ranges.map((range) =>
    db
      .selectFrom(
        inOrder(range)
          .limit(limit + offset)
          .as('of_range'),
      )
      .select(['created_at', 'sequence']),
  );
  if (!first) return [];
  const rows = await db
    .selectFrom(more.reduce((union, next) => union.unionAll(next), first).as('found'))
    .select('sequence')
    .orderBy('created_at', direction)
    .orderBy('sequence', direction)
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(({ sequence }) => sequence);
}

export type Entries = SelectQueryBuilder<Tables, 'audit_entries', object>;

/**
 * Returns parts of the log that do not overlap and of which an index holds each in order of time.
 */
export async function rangesOf(db: Db, tenantId: string, filter: LogFilter): Promise<Entries[]> {
  const all: Entries = entriesIn(db, tenantId, spanOf(filter));
  if (filter.actors || filter.resources) return namedRanges(all, filter);
  if (filter.actor_type === undefined && filter.action === undefined) return [all];
  const kinds = await kindsIn(db, tenantId, filter);
  return kinds.map(({ actor_type, action }) =>
    all.where('actor_type', '=', actor_type).where('action', '=', action),
  );
}

function namedRanges(all: Entries, filter: LogFilter): Entries[] {
  const { actors, resources = [], actor_type, action = '*' } = filter;
  let entries = all;
  if (actor_type) entries = entries.where('actor_type', '=', actor_type);
  if (action.endsWith('*')) entries = withPrefix(entries, action.slice(0, -1));
  else entries = entries.where('action', '=', action);
  if (!filter.resources) return (actors ?? []).map((id) => entries.where('actor_id', '=', id));
  if (actors) entries = entries.where('actor_id', 'in', valueList(actors));
  return resources.map((id) => entries.where('resource_id', '=', id));
}

const withPrefix = (entries: Entries, prefix: string): Entries =>
  prefix === ''
    ? entries
    : entries.where(
        sql<boolean>`substr(action, 1, ${sql.lit(Array.from(prefix).length)}) = ${prefix}`,
      );

/** Counts entries. The count is exact unless actors or objects with many entries are selected. */
export async function countPage(
  db: Db,
  tenantId: string,
  filter: LogFilter,
  page: Pick<LogPage, 'limit' | 'offset'>,
): Promise<BoundedCount> {
  if (!filter.actors && !filter.resources)
    return { count: await countEntries(db, tenantId, filter), count_exact: true };
  const counts = await Promise.all(
    (await rangesOf(db, tenantId, filter)).map((range) => countBounded(db, range, page)),
  );
  return {
    count: counts.reduce((sum, { count }) => sum + count, 0),
    count_exact: counts.every(({ count_exact }) => count_exact),
  };
}

/** Counts matching entries. Whole days come from stored counts. */
async function countEntries(db: Db, tenantId: string, filter: LogFilter): Promise<number> {
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

/** Returns the kinds of entries on the days that the range overlaps. */
async function kindsIn(db: Db, tenantId: string, filter: LogFilter): Promise<EventKind[]> {
  const { from, to } = spanOf(filter);
  const days = { from: Math.floor(from / DAY_MS), to: Math.ceil(to / DAY_MS) };
  const kinds = await totalsIn(db, tenantId, days);
  return kinds.filter(matchesFilter(filter));
}

const spanOf = ({ start_date, end_date }: LogFilter): LogRange => ({
  from: start_date ?? 0,
  to: end_date ?? Infinity,
});

function totalsIn(db: Db, tenantId: string, { from, to }: LogRange) {
  return db
    .selectFrom('audit_totals')
    .select((eb) => ['actor_type', 'action', eb.fn.sum<number>('count').as('count')])
    .where('tenant_id', '=', tenantId)
    .where('day', '>=', from)
    .$if(to !== Infinity, (query) => query.where('day', '<', to))
    .groupBy(['actor_type', 'action'])
    .execute();
}

const entriesIn = (db: Db, tenantId: string, { from, to }: LogRange) =>
  db
    .selectFrom('audit_entries')
    .where('tenant_id', '=', tenantId)
    .where('created_at', '>=', from)
    .$if(to !== Infinity, (query) => query.where('created_at', '<', to));
