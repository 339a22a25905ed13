import type { Selectable } from 'kysely';
import { CLOCK_SKEW_MS } from '../identity/sessions/session-token.ts';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';

export type SubUserSession = Selectable<Tables['sub_user_sessions']>;

/** Stores a session, and deletes the tenant's sessions that ended before `forgotten`. */
export async function insertSubUserSession(
  tx: Tx,
  session: SubUserSession,
  forgotten: number,
): Promise<void> {
  await tx.db
    .deleteFrom('sub_user_sessions')
    .where('tenant_id', '=', session.tenant_id)
    .where('expires_at', '<', forgotten)
    .execute();
  await tx.db.insertInto('sub_user_sessions').values(session).execute();
}

/** Finds an active session, with the columns that determine the privileges of its issuer. */
export function findSubUserSession(db: Db, tenantId: string, sessionId: string, now: number) {
  return db
    .selectFrom('sub_user_sessions as session')
    .leftJoin('api_keys as key', (join) =>
      join
        .onRef('key.tenant_id', '=', 'session.tenant_id')
        .onRef('key.id', '=', 'session.issued_by'),
    )
    .leftJoin('users as user', (join) =>
      join
        .onRef('user.tenant_id', '=', 'session.tenant_id')
        .onRef('user.id', '=', 'session.issued_by'),
    )
    .leftJoin('identity_settings as settings', 'settings.tenant_id', 'session.tenant_id')
    .selectAll('session')
    .select(['key.permissions as key_permissions', 'key.revoked_at as key_revoked_at'])
    .select('key.expires_at as key_expires_at')
    .select(['user.role as user_role', 'user.disabled', 'user.oidc_subject'])
    .select(['user.must_change_password', 'user.password_changed_at'])
    .select(['user.created_at as user_created_at', 'settings.password_max_age_days'])
    .where('session.tenant_id', '=', tenantId)
    .where('session.id', '=', sessionId)
    .where('session.revoked_at', 'is', null)
    .where('session.expires_at', '>', now - CLOCK_SKEW_MS)
    .executeTakeFirst();
}

/** Revokes active sessions; returns how many. */
export async function revokeSubUserSessions(
  tx: Tx,
  tenantId: string,
  subUserId: string,
  now: number,
): Promise<number> {
  const { numUpdatedRows } = await tx.db
    .updateTable('sub_user_sessions')
    .set({ revoked_at: now })
    .where('tenant_id', '=', tenantId)
    .where('sub_user_id', '=', subUserId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now - CLOCK_SKEW_MS)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
