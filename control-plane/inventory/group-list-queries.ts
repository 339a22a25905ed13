import { sql } from 'kysely';
import type { z } from 'zod';
import type { appTimes, inventoryRoutes } from '#contract/inventory.ts';
import { versionKey } from '#contract/version-order.ts';
import { readInBatches } from '../lib/read-in-batches.ts';
import { contains } from '../storage/contains.ts';
import { countOf } from '../storage/bounded-count.ts';
import type { Db } from '../storage/open.ts';
import { countByBucket } from '../storage/over-time.ts';
import { groupColumns } from './group-queries.ts';

type GroupQuery = z.output<typeof inventoryRoutes.listAppGroups.query>;
export type GroupFilter = Omit<GroupQuery, 'limit' | 'offset' | 'sort'>;
export type GroupSort = GroupQuery['sort'];

export async function listGroups(
  db: Db,
  tenantId: string,
  { limit, offset, sort, ...filter }: GroupQuery,
) {
  const groups = matching(db, tenantId, filter);
  const rows = await groups
    .select(groupColumns)
    .orderBy(sort.by, sort.direction)
    .orderBy('id', sort.direction)
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, count: await countOf(groups) };
}

export const countGroups = (db: Db, tenantId: string, filter: GroupFilter): Promise<number> =>
  countOf(matching(db, tenantId, filter));

/** Counts apps across the fleet, each once, by one of their times. */
export const countGroupsOverTime = (
  db: Db,
  tenantId: string,
  filter: GroupFilter,
  by: (typeof appTimes)[number],
) => countByBucket(db, { rows: matching(db, tenantId, filter), at: by });

type Last = { id: string } & Record<GroupSort['by'], string | number>;

/** Yields all apps of the fleet in order, one batch at a time. */
export const eachGroup = (
  db: Db,
  tenantId: string,
  options: { filter: GroupFilter; sort: GroupSort; size: number; max: number },
) => {
  const { filter, sort, size, max } = options;
  const { by, direction } = sort;
  const isAfter = (last: Last) =>
    sql<boolean>`(${sql.ref(by)}, id) ${sql.raw(direction === 'asc' ? '>' : '<')} (${last[by]}, ${last.id})`;
  return readInBatches({
    size,
    max,
    keyOf: ({ id }) => id,
    read: (after: Last | undefined, limit: number) => {
      let groups = matching(db, tenantId, filter);
      if (after) groups = groups.where(isAfter(after));
      return groups
        .select(groupColumns)
        .orderBy(by, direction)
        .orderBy('id', direction)
        .limit(limit)
        .execute();
    },
  });
};

function matching(db: Db, tenantId: string, filter: GroupFilter) {
  let groups = db.selectFrom('app_groups').where('tenant_id', '=', tenantId);
  const { kind, risk_flag, search, new_since, version_below, present } = filter;
  if (kind) groups = groups.where('kind', '=', kind);
  // This matches a whole JSON string, so that no flag matches within another.
  if (risk_flag)
    groups = groups.where(contains('risk_flags', `"flag":${JSON.stringify(risk_flag)}`));
  if (search)
    groups = groups.where((eb) =>
      eb.or(['name', 'catalog_id'].map((column) => contains(column, search))),
    );
  if (new_since !== undefined) groups = groups.where('first_seen', '>=', new_since);
  const { time = 'first_seen', start, end } = filter;
  if (start !== undefined) groups = groups.where(time, '>=', start);
  if (end !== undefined) groups = groups.where(time, '<', end);
  if (version_below) groups = groups.where('oldest_key', '<', versionKey(version_below));
  if (present) groups = groups.where('device_count', present === 'true' ? '>' : '=', 0);
  return groups;
}
