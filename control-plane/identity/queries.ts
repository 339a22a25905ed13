import type { Insertable, Selectable } from 'kysely';
import type { Db, Storage } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { SessionClaims } from './session-token.ts';

export function findApiKey(db: Db, hash: string) {
  return db.selectFrom('api_keys').selectAll().where('hash', '=', hash).executeTakeFirst();
}

export async function touchApiKey(
  db: Db,
  key: Pick<Selectable<Tables['api_keys']>, 'tenant_id' | 'id'>,
  now: number,
): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: now })
    .where('tenant_id', '=', key.tenant_id)
    .where('id', '=', key.id)
    .execute();
}

export async function insertApiKey(db: Db, key: Insertable<Tables['api_keys']>): Promise<void> {
  await db.insertInto('api_keys').values(key).execute();
}

export function listApiKeys(db: Db, tenantId: string) {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** False when there is no such key. Revoking twice keeps the first time. */
export async function revokeApiKey(
  db: Db,
  tenantId: string,
  id: string,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.val(now)) }))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export function findUserByEmail(db: Db, email: string) {
  return db
    .selectFrom('users')
    .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
    .select(['users.tenant_id', 'users.id', 'users.email', 'users.role', 'users.password_hash'])
    .select('tenants.name as tenant_name')
    .where('users.email', '=', email.toLowerCase())
    .executeTakeFirst();
}

export function findUser(db: Db, tenantId: string, id: string) {
  return db
    .selectFrom('users')
    .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
    .select(['users.tenant_id', 'users.id', 'users.email', 'users.role'])
    .select('tenants.name as tenant_name')
    .where('users.tenant_id', '=', tenantId)
    .where('users.id', '=', id)
    .executeTakeFirst();
}

export async function insertSession(
  db: Db,
  session: Omit<Insertable<Tables['sessions']>, 'revoked_at'>,
): Promise<void> {
  await db
    .insertInto('sessions')
    .values({ ...session, revoked_at: null })
    .execute();
}

export function findSession(db: Db, { tenantId, sessionId }: SessionClaims) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join
        .onRef('users.tenant_id', '=', 'sessions.tenant_id')
        .onRef('users.id', '=', 'sessions.user_id'),
    )
    .select(['sessions.tenant_id', 'sessions.id', 'sessions.user_id'])
    .select(['sessions.expires_at', 'sessions.revoked_at', 'users.role', 'users.email'])
    .where('sessions.tenant_id', '=', tenantId)
    .where('sessions.id', '=', sessionId)
    .executeTakeFirst();
}

export async function endSession(
  db: Db,
  { tenantId, sessionId }: SessionClaims,
  now: number,
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', sessionId)
    .execute();
}

export interface Account {
  email: string;
  address: string;
}

/**
 * Counts a sign-in as failed before it is tried, so that many at once cannot outrun the limit;
 * `clearFailures` takes it back. Also forgets what is too old to count, for every account.
 *
 * @returns the times of the failures since then, oldest first, when they are too many for another;
 *   null when it was counted
 */
export async function countFailure(
  { db, lock }: Storage,
  { at, ...account }: Account & { at: number },
  { since, allowed }: { since: number; allowed: number },
): Promise<number[] | null> {
  await db.deleteFrom('sign_in_failures').where('at', '<', since).execute();
  return db.transaction().execute(async (trx) => {
    await lock(trx, `sign-in ${account.email} ${account.address}`);
    const failures = await failuresSince(trx, account, since);
    if (failures.length >= allowed) return failures;
    await trx
      .insertInto('sign_in_failures')
      .values({ ...account, at })
      .execute();
    return null;
  });
}

async function failuresSince(db: Db, account: Account, since: number): Promise<number[]> {
  const rows = await db
    .selectFrom('sign_in_failures')
    .select('at')
    .where('email', '=', account.email)
    .where('address', '=', account.address)
    .where('at', '>', since)
    .orderBy('at')
    .execute();
  return rows.map((row) => row.at);
}

export async function clearFailures(db: Db, account: Account): Promise<void> {
  await db
    .deleteFrom('sign_in_failures')
    .where('email', '=', account.email)
    .where('address', '=', account.address)
    .execute();
}
