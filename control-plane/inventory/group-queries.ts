import type { appGroup } from '#contract/inventory.ts';
import type { z } from 'zod';
import type { Db } from '../storage/open.ts';
import type { AppGroupTable } from '../storage/tables/inventory.ts';
import type { Tx } from '../storage/transaction.ts';
import type { GroupFacts } from './matching.ts';
import type { Member, Summary } from './summary.ts';

export const groupColumns = [
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

export const findGroup = (db: Db, tenantId: string, id: string) =>
  db
    .selectFrom('app_groups')
    .select([...groupColumns, 'versions'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();

/** Finds the stored state of a group, whose revision is used to detect concurrent updates. */
export const findStored = (db: Db, tenantId: string, id: string) =>
  db
    .selectFrom('app_groups')
    .select(['revision', 'first_seen'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();

/** Lists all apps of a group, whether present or gone. */
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

/** Finds any app of the group, for its kind and name. */
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

export interface GroupSummary {
  id: string;
  /** Null for a group without apps. */
  facts: GroupFacts | null;
  summary: Summary | null;
  /** The revision of the stored group; null if none is stored. */
  revision: number | null;
}

/**
 * Stores a group. Returns false after a concurrent update since `revision`, in which case it must
 * be computed again.
 */
export async function storeGroup(
  tx: Tx,
  tenantId: string,
  { id, facts, summary, revision }: GroupSummary,
): Promise<boolean> {
  if (facts === null || summary === null) return dropGroup(tx, tenantId, id, revision);
  const values = { ...facts, ...summary, revision: (revision ?? 0) + 1 };
  if (revision === null) {
    const added = await tx.db
      .insertInto('app_groups')
      .values({ tenant_id: tenantId, id, ...values })
      .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doNothing())
      .executeTakeFirst();
    return Number(added.numInsertedOrUpdatedRows) > 0;
  }
  const { numUpdatedRows } = await tx.db
    .updateTable('app_groups')
    .set(values)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst();
  return Number(numUpdatedRows) > 0;
}

async function dropGroup(
  tx: Tx,
  tenantId: string,
  id: string,
  revision: number | null,
): Promise<boolean> {
  if (revision === null) return (await findStored(tx.db, tenantId, id)) === undefined;
  const { numDeletedRows } = await tx.db
    .deleteFrom('app_groups')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst();
  return Number(numDeletedRows) > 0;
}

/** Lists groups in the order of their ids, beginning with this one or after it. */
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
