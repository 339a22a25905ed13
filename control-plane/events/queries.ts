import { countAroundPage } from '../storage/bounded-count.ts';
import { orderByIds } from '../storage/row-order.ts';
import { contains } from '../storage/contains.ts';
import { jsonUnlessLong, isTruncated } from '../storage/list-columns.ts';
import type { Db } from '../storage/open.ts';

export interface EventFilter {
  event_type?: string | undefined;
  agent?: string | undefined;
  run_id?: number | undefined;
  start?: number | undefined;
  end?: number | undefined;
  search?: string | undefined;
  limit: number;
  offset: number;
}

const columns = [
  'id',
  'event_type',
  'agent_name',
  'action',
  'operator',
  'reason',
  'run_id',
  'occurred_at',
  'created_at',
] as const;

/** Lists events, newest first. Of events at the same time, the last recorded comes first. */
export async function listEvents(db: Db, tenantId: string, filter: EventFilter) {
  let events = db.selectFrom('events').where('tenant_id', '=', tenantId);
  if (filter.event_type) events = events.where('event_type', '=', filter.event_type);
  if (filter.agent) events = events.where('agent_name', '=', filter.agent);
  if (filter.run_id !== undefined) events = events.where('run_id', '=', filter.run_id);
  if (filter.start !== undefined) events = events.where('occurred_at', '>=', filter.start);
  if (filter.end !== undefined) events = events.where('occurred_at', '<', filter.end);
  if (filter.search) events = events.where(bodyContains(filter.search));
  // The ids come from an index, so that only these rows are read in full.
  const page = await events
    .select('id')
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute();
  const ids = page.map(({ id }) => id);
  const rows = await listedEvents(db, tenantId, ids);
  return { rows, ...(await countAroundPage(db, events, filter, page.length)) };
}

async function listedEvents(db: Db, tenantId: string, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('events')
    .select(columns)
    .select([jsonUnlessLong('body').as('body'), isTruncated('body').as('truncated')])
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', ids)
    .execute();
  return orderByIds(ids, rows);
}

export const findEvent = (db: Db, tenantId: string, id: number) =>
  db
    .selectFrom('events')
    .select([...columns, 'body'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();

/** Matches the escaped form of the text, because bodies are stored as JSON. */
function bodyContains(text: string) {
  const inJson = JSON.stringify(text).slice(1, -1);
  return contains('body', inJson);
}
