import type { Selectable } from 'kysely';
import { CLOCK_SKEW_MS } from '../../identity/session-token.ts';
import type { Db, Trx } from '../../storage/open.ts';
import type { Tables } from '../../storage/tables.ts';

export type SubUserSession = Selectable<Tables['sub_user_sessions']>;

/** Stores a session, and forgets those of the tenant that ended before `forgotten`. */
export async function insertSubUserSession(
  trx: Trx,
  session: SubUserSession,
  forgotten: number,
): Promise<void> {
  await trx
    .deleteFrom('sub_user_sessions')
    .where('tenant_id', '=', session.tenant_id)
    .where('expires_at', '<', forgotten)
    .execute();
  await trx.insertInto('sub_user_sessions').values(session).execute();
}

/** A session that still counts: neither it nor the key or the user that issued it has ended. */
export function findSubUserSession(
  db: Db,
  tenantId: string,
  sessionId: string,
  now: number,
): Promise<SubUserSession | undefined> {
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
    .selectAll('session')
    .where('session.tenant_id', '=', tenantId)
    .where('session.id', '=', sessionId)
    .where('session.revoked_at', 'is', null)
    .where('session.expires_at', '>', now - CLOCK_SKEW_MS)
    .where((eb) =>
      eb.or([
        eb('user.disabled', '=', 0),
        eb.and([
          eb('key.id', 'is not', null),
          eb('key.revoked_at', 'is', null),
          eb.or([eb('key.expires_at', 'is', null), eb('key.expires_at', '>', now)]),
        ]),
      ]),
    )
    .executeTakeFirst();
}

/** Ends what has not ended yet; answers how many. */
export async function revokeSubUserSessions(
  trx: Trx,
  tenantId: string,
  subUserId: string,
  now: number,
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('sub_user_sessions')
    .set({ revoked_at: now })
    .where('tenant_id', '=', tenantId)
    .where('sub_user_id', '=', subUserId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now - CLOCK_SKEW_MS)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
