import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';

export type View = Tables['list_views'];

/** Lists a user's own views and the shared ones, by name. */
export function listViews(db: Db, tenantId: string, userId: string, list: string) {
  return db
    .selectFrom('list_views')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('list', '=', list)
    .where((eb) => eb.or([eb('is_shared', '=', 1), eb('owner_id', '=', userId)]))
    .orderBy('name')
    .orderBy('id')
    .execute();
}

export function findView(db: Db, tenantId: string, id: string) {
  return db
    .selectFrom('list_views')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function countViews(db: Db, tenantId: string, userId: string): Promise<number> {
  const row = await db
    .selectFrom('list_views')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('owner_id', '=', userId)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Returns the email addresses by user id. */
export async function emailsOf(
  db: Db,
  tenantId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', userIds)
    .execute();
  return new Map(rows.map(({ id, email }) => [id, email]));
}

export async function insertView(tx: Tx, view: View): Promise<void> {
  await tx.db.insertInto('list_views').values(view).execute();
}

export async function changeView(tx: Tx, view: View): Promise<void> {
  const { tenant_id, id, ...values } = view;
  await tx.db
    .updateTable('list_views')
    .set(values)
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute();
}

/** Deletes a view, and its use as a default by users. */
export async function deleteView(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.db
    .deleteFrom('list_view_defaults')
    .where('tenant_id', '=', tenantId)
    .where('view_id', '=', id)
    .execute();
  await tx.db
    .deleteFrom('list_views')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute();
}

export async function findDefault(db: Db, tenantId: string, userId: string, list: string) {
  const row = await db
    .selectFrom('list_view_defaults')
    .select('view_id')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('list', '=', list)
    .executeTakeFirst();
  return row?.view_id;
}

export async function putDefault(
  tx: Tx,
  tenantId: string,
  { userId, list, viewId }: { userId: string; list: string; viewId: string | null },
): Promise<void> {
  await tx.db
    .deleteFrom('list_view_defaults')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('list', '=', list)
    .execute();
  if (viewId === null) return;
  const row = { tenant_id: tenantId, user_id: userId, list, view_id: viewId };
  await tx.db.insertInto('list_view_defaults').values(row).execute();
}

/** Deletes the views that only this user could see. Shared ones are kept. */
export async function deleteViewsOf(tx: Tx, tenantId: string, userId: string): Promise<void> {
  await tx.db
    .deleteFrom('list_view_defaults')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .execute();
  await tx.db
    .deleteFrom('list_views')
    .where('tenant_id', '=', tenantId)
    .where('owner_id', '=', userId)
    .where('is_shared', '=', 0)
    .execute();
}
