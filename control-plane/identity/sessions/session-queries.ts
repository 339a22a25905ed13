import type { Insertable } from 'kysely';
import type { Db } from '../../storage/open.ts';
import type { Tables } from '../../storage/tables.ts';
import type { Tx } from '../../storage/transaction.ts';
import { CLOCK_SKEW_MS, type SessionClaims } from './session-token.ts';

interface OfUser {
  tenantId: string;
  userId: string;
}

export async function insertSession(
  tx: Tx,
  session: Insertable<Tables['sessions']>,
): Promise<void> {
  await tx.db.insertInto('sessions').values(session).execute();
}

/**
 * Deletes the tenant's expired sessions. This runs at every sign-in, which is when sessions are
 * added.
 */
export async function deleteExpiredSessions(
  tx: Tx,
  tenantId: string,
  before: number,
): Promise<void> {
  await tx.db
    .deleteFrom('sessions')
    .where('tenant_id', '=', tenantId)
    .where('expires_at', '<', before)
    .execute();
}

/** Finds a session with its user and the columns that decide whether the password has expired. */
export function findSession(db: Db, { tenantId, sessionId }: SessionClaims) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join
        .onRef('users.tenant_id', '=', 'sessions.tenant_id')
        .onRef('users.id', '=', 'sessions.user_id'),
    )
    .innerJoin('tenants', 'tenants.id', 'sessions.tenant_id')
    .leftJoin('identity_settings', 'identity_settings.tenant_id', 'sessions.tenant_id')
    .select(['sessions.tenant_id', 'sessions.id', 'sessions.user_id', 'sessions.method'])
    .select(['sessions.expires_at', 'sessions.revoked_at', 'sessions.last_seen_at'])
    .select(['users.role', 'users.email', 'users.disabled', 'users.created_at'])
    .select(['users.must_change_password', 'users.password_changed_at'])
    .select(['tenants.name as tenant_name', 'identity_settings.password_max_age_days'])
    .where('sessions.tenant_id', '=', tenantId)
    .where('sessions.id', '=', sessionId)
    .executeTakeFirst();
}

/**
 * Finds the name of a tenant. Sub-user tokens, which act as users without having a session row,
 * need it.
 */
export async function findTenantName(db: Db, tenantId: string): Promise<string> {
  const { name } = await db
    .selectFrom('tenants')
    .select('name')
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow();
  return name;
}

export async function touchSession(
  tx: Tx,
  { tenantId, sessionId }: SessionClaims,
  now: number,
): Promise<void> {
  await tx.db
    .updateTable('sessions')
    .set({ last_seen_at: now })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', sessionId)
    .execute();
}

/** Lists active sessions, most recently used first. */
export function listSessions(db: Db, { tenantId, userId }: OfUser, now: number) {
  return db
    .selectFrom('sessions')
    .select(['id', 'method', 'address', 'user_agent', 'created_at', 'expires_at'])
    .select((eb) => eb.fn.coalesce('last_seen_at', 'created_at').as('last_seen_at'))
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now - CLOCK_SKEW_MS)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Ends a session. Returns false if the user has no such active session. */
export async function endSession(
  tx: Tx,
  { sessionId, ...of }: OfUser & SessionClaims,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await revokeActiveSessions(tx, of, now)
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends all sessions of a user, optionally except one. Returns how many were ended. */
export async function endSessions(tx: Tx, of: OfUser, now: number, exceptId = ''): Promise<number> {
  const { numUpdatedRows } = await revokeActiveSessions(tx, of, now)
    .where('id', '!=', exceptId)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Begins an update that ends active sessions of a user now. */
const revokeActiveSessions = (tx: Tx, { tenantId, userId }: OfUser, now: number) =>
  tx.db
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now - CLOCK_SKEW_MS);

export async function deleteSessions(tx: Tx, { tenantId, userId }: OfUser): Promise<void> {
  await tx.db
    .deleteFrom('sessions')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .execute();
}
