import type { appGroup, fleetRoutes } from '#contract/fleet.ts';
import { versionKey } from '#contract/version-order.ts';
import type { z } from 'zod';
import { contains } from '../storage/contains.ts';
import { countOf } from '../storage/count.ts';
import type { Db, Trx } from '../storage/open.ts';
import type { AppGroupTable } from '../storage/tables/inventory.ts';
import type { GroupFacts } from './matching.ts';
import type { Member, Summary } from './summary.ts';

export type GroupFilter = z.output<typeof fleetRoutes.listAppGroups.query>;

const columns = [
  'id',
  'kind',
  'name',
  'catalog_id',
  'device_count',
  'gone_count',
  'user_count',
  'version_count',
  'oldest_version',
  'newest_version',
  'risk_flags',
  'first_seen',
  'last_seen',
] as const satisfies readonly (keyof z.output<typeof appGroup>)[];

function matching(db: Db, tenantId: string, filter: GroupFilter) {
  let groups = db.selectFrom('app_groups').where('tenant_id', '=', tenantId);
  const { kind, risk_flag, search, new_since, version_below, present } = filter;
  if (kind) groups = groups.where('kind', '=', kind);
  // Matches a whole JSON string, so that no flag matches within another.
  if (risk_flag)
    groups = groups.where(contains('risk_flags', `"flag":${JSON.stringify(risk_flag)}`));
  if (search)
    groups = groups.where((eb) =>
      eb.or(['name', 'catalog_id'].map((column) => contains(column, search))),
    );
  if (new_since !== undefined) groups = groups.where('first_seen', '>=', new_since);
  if (version_below) groups = groups.where('oldest_key', '<', versionKey(version_below));
  if (present) groups = groups.where('device_count', present === 'true' ? '>' : '=', 0);
  return groups;
}

export async function listGroups(db: Db, tenantId: string, filter: GroupFilter) {
  const groups = matching(db, tenantId, filter);
  const { by, direction } = filter.sort;
  const rows = await groups
    .select(columns)
    .orderBy(by, direction)
    .orderBy('id', direction)
    .limit(filter.limit)
    .offset(filter.offset)
    .execute();
  return { rows, count: await countOf(groups) };
}

export const findGroup = (db: Db, tenantId: string, id: string) =>
  db
    .selectFrom('app_groups')
    .select([...columns, 'versions'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();

/** The stored state of a group; its revision detects concurrent updates. */
export const findStored = (db: Db, tenantId: string, id: string) =>
  db
    .selectFrom('app_groups')
    .select(['revision', 'first_seen'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();

/** All apps of a group, present or gone. */
export async function listMembers(db: Db, tenantId: string, groupId: string): Promise<Member[]> {
  const rows = await db
    .selectFrom('apps')
    .innerJoin('devices', (join) =>
      join
        .onRef('devices.tenant_id', '=', 'apps.tenant_id')
        .onRef('devices.id', '=', 'apps.device_id'),
    )
    .select([
      'apps.device_id',
      'apps.user',
      'apps.version',
      'apps.risk_flags',
      'apps.first_seen',
      'apps.last_seen',
      'devices.scanned_at',
    ])
    .where('apps.tenant_id', '=', tenantId)
    .where('apps.group_id', '=', groupId)
    .execute();
  return rows.map((row) => ({ ...row, present: row.last_seen === row.scanned_at }));
}

/** Any app of the group, for its kind and name. */
export const findExample = (db: Db, tenantId: string, groupId: string) =>
  db
    .selectFrom('apps')
    .select(['kind', 'name', 'catalog_id', 'evidence'])
    .where('tenant_id', '=', tenantId)
    .where('group_id', '=', groupId)
    .orderBy('device_id')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();

export interface Gathered {
  id: string;
  /** Null for a group without apps. */
  facts: GroupFacts | null;
  summary: Summary | null;
  /** The revision of the stored group; null if none is stored. */
  revision: number | null;
}

/** Stores a group. Returns false on a concurrent update since `revision`: compute it again. */
export async function storeGroup(
  trx: Trx,
  tenantId: string,
  { id, facts, summary, revision }: Gathered,
): Promise<boolean> {
  if (facts === null || summary === null) return dropGroup(trx, tenantId, id, revision);
  const values = { ...facts, ...summary, revision: (revision ?? 0) + 1 };
  if (revision === null) {
    const added = await trx
      .insertInto('app_groups')
      .values({ tenant_id: tenantId, id, ...values })
      .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doNothing())
      .executeTakeFirst();
    return Number(added.numInsertedOrUpdatedRows) > 0;
  }
  const { numUpdatedRows } = await trx
    .updateTable('app_groups')
    .set(values)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst();
  return Number(numUpdatedRows) > 0;
}

async function dropGroup(
  trx: Trx,
  tenantId: string,
  id: string,
  revision: number | null,
): Promise<boolean> {
  if (revision === null) return (await findStored(trx, tenantId, id)) === undefined;
  const { numDeletedRows } = await trx
    .deleteFrom('app_groups')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst();
  return Number(numDeletedRows) > 0;
}

/** Groups in the order of their ids, from this one on, or after it. */
export const listGroupsAfter = (
  db: Db,
  tenantId: string,
  from: { id: string; itself: boolean },
  limit: number,
): Promise<Pick<AppGroupTable, 'id' | 'kind' | 'name' | 'catalog_id'>[]> =>
  db
    .selectFrom('app_groups')
    .select(['id', 'kind', 'name', 'catalog_id'])
    .where('tenant_id', '=', tenantId)
    .where('id', from.itself ? '>=' : '>', from.id)
    .orderBy('id')
    .limit(limit)
    .execute();
