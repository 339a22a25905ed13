import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../storage/open.ts';
import { orderByIds } from '../storage/row-order.ts';
import { sortLatest } from '../storage/sorted-latest.ts';
import { valueList } from '../storage/value-list.ts';
import type { Captures, CaptureSort } from './capture-filter-queries.ts';
import { captureColumns } from './queries.ts';

const sortValue: Record<CaptureSort['by'], RawBuilder<string | number | null>> = {
  started_at: sql.ref('captures.started_at'),
  host: sql`captures.host || captures.path`,
  app: sql`coalesce(captures.app_id, captures.process)`,
  hostname: sql`(select devices.hostname from devices
    where devices.tenant_id = captures.tenant_id and devices.id = captures.device_id)`,
  user: sql.ref('captures.user'),
  model: sql.ref('captures.model'),
  tokens: sql`case when captures.tokens_in is null and captures.tokens_out is null then null
    else coalesce(captures.tokens_in, 0) + coalesce(captures.tokens_out, 0) end`,
  status: sql.ref('captures.status'),
};

export interface SortedCaptures {
  sort: CaptureSort;
  limit: number;
  offset: number;
  /** The number of latest captures that are sorted. */
  max: number;
}

/** Returns the ids of one page of the latest captures, sorted by a field that no index has. */
export async function sortedCaptures(
  db: Db,
  captures: Captures,
  { sort: { by, direction }, max, ...page }: SortedCaptures,
): Promise<string[]> {
  const latest = captures
    .select(['captures.id', 'captures.started_at as at', sortValue[by].as('sort_value')])
    .orderBy('captures.started_at', 'desc')
    .orderBy('captures.id', 'desc')
    .limit(max);
  return (await sortLatest(db, latest, { direction, ...page })).map(({ id }) => id);
}

/** Returns the captures with these ids, in that order. */
export async function capturesById(db: Db, tenantId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('captures')
    .innerJoin('devices', (join) =>
      join.on('devices.tenant_id', '=', tenantId).onRef('devices.id', '=', 'captures.device_id'),
    )
    .select(captureColumns)
    .where('captures.tenant_id', '=', tenantId)
    .where('captures.id', 'in', valueList(ids))
    .execute();
  return orderByIds(ids, rows);
}
