import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';

export type StoredDashboard = Tables['dashboards'];

/** Lists a user's own dashboards and the shared ones, by name. */
export function listDashboards(db: Db, tenantId: string, userId: string) {
  return db
    .selectFrom('dashboards')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb.or([eb('is_shared', '=', 1), eb('owner_id', '=', userId)]))
    .orderBy('name')
    .orderBy('id')
    .execute();
}

export function findDashboard(db: Db, tenantId: string, id: string) {
  return db
    .selectFrom('dashboards')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function countDashboards(db: Db, tenantId: string, userId: string): Promise<number> {
  const row = await db
    .selectFrom('dashboards')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('owner_id', '=', userId)
    .executeTakeFirstOrThrow();
  return row.count;
}

export async function insertDashboard(tx: Tx, dashboard: StoredDashboard): Promise<void> {
  await tx.db.insertInto('dashboards').values(dashboard).execute();
}

export async function changeDashboard(tx: Tx, dashboard: StoredDashboard): Promise<void> {
  const { tenant_id, id, ...values } = dashboard;
  await tx.db
    .updateTable('dashboards')
    .set(values)
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute();
}

export async function deleteDashboard(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.db
    .deleteFrom('dashboards')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute();
}

/** Deletes the dashboards that only this user could see. Shared ones are kept. */
export async function deleteDashboardsOf(tx: Tx, tenantId: string, userId: string): Promise<void> {
  await tx.db
    .deleteFrom('dashboards')
    .where('tenant_id', '=', tenantId)
    .where('owner_id', '=', userId)
    .where('is_shared', '=', 0)
    .execute();
}
