import type { Db } from '../../storage/open.ts';
import type { Insertable, Updateable } from 'kysely';
import type { Tables } from '../../storage/tables.ts';
import type { Tx } from '../../storage/transaction.ts';

/** Finds a user for sign-in, with the password hash, which must not be returned to clients. */
export function findUserByEmail(db: Db, email: string) {
  return db
    .selectFrom('users')
    .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
    .leftJoin('identity_settings', 'identity_settings.tenant_id', 'users.tenant_id')
    .select(['users.tenant_id', 'users.id', 'users.email', 'users.role', 'users.disabled'])
    .select(['users.password_hash', 'users.must_change_password', 'users.password_changed_at'])
    .select(['users.created_at', 'users.oidc_issuer', 'users.oidc_subject'])
    .select(['tenants.name as tenant_name', 'identity_settings.password_max_age_days'])
    .where('users.email', '=', email.toLowerCase())
    .executeTakeFirst();
}

/** Finds a tenant's user with this email; returns the id, and the email as it is stored. */
export const findUserOfTenant = (db: Db, tenantId: string, email: string) =>
  db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('email', '=', email)
    .executeTakeFirst();

export function findPasswordHash(db: Db, tenantId: string, id: string) {
  return db
    .selectFrom('users')
    .select('password_hash')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Selects the columns that administrators see. */
const managed = (db: Db, tenantId: string) =>
  db
    .selectFrom('users')
    .select(['id', 'email', 'role', 'disabled', 'must_change_password'])
    .select(['created_at', 'password_changed_at', 'last_sign_in_at'])
    .select((eb) =>
      eb.case().when('password_hash', '=', '').then(0).else(1).end().as('has_password'),
    )
    .where('tenant_id', '=', tenantId);

export const findUser = (db: Db, tenantId: string, id: string) =>
  managed(db, tenantId).where('id', '=', id).executeTakeFirst();

export const listUsers = (db: Db, tenantId: string) =>
  managed(db, tenantId).orderBy('email').execute();

export async function insertUser(tx: Tx, user: Insertable<Tables['users']>): Promise<void> {
  await tx.db.insertInto('users').values(user).execute();
}

export async function changeUser(
  tx: Tx,
  tenantId: string,
  id: string,
  change: Updateable<Tables['users']>,
): Promise<void> {
  await tx.db
    .updateTable('users')
    .set(change)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute();
}

export async function deleteUser(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.db.deleteFrom('users').where('tenant_id', '=', tenantId).where('id', '=', id).execute();
}

/** Whether there is another owner who can sign in. Requires `usersLock`. */
export async function hasOtherOwner(db: Db, tenantId: string, id: string): Promise<boolean> {
  const other = await db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '!=', id)
    .where('role', '=', 'owner')
    .where('disabled', '=', 0)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

export async function findIdentitySettings(db: Db, tenantId: string) {
  const row = await db
    .selectFrom('identity_settings')
    .select('password_max_age_days')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return row ?? { password_max_age_days: null };
}

export async function putIdentitySettings(
  tx: Tx,
  settings: Tables['identity_settings'],
): Promise<void> {
  const { tenant_id, ...values } = settings;
  await tx.db
    .insertInto('identity_settings')
    .values({ tenant_id, ...values })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(values))
    .execute();
}

/** Finds the columns that determine a user's permissions. */
export function findUserStatus(db: Db, tenantId: string, id: string) {
  return db
    .selectFrom('users as user')
    .leftJoin('identity_settings as settings', 'settings.tenant_id', 'user.tenant_id')
    .select(['user.role', 'user.disabled', 'user.oidc_subject', 'user.created_at'])
    .select(['user.must_change_password', 'user.password_changed_at'])
    .select('settings.password_max_age_days')
    .where('user.tenant_id', '=', tenantId)
    .where('user.id', '=', id)
    .executeTakeFirst();
}
