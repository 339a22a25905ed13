import type { Selectable } from 'kysely';
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

export function findSubUserSession(
  db: Db,
  tenantId: string,
  sessionId: string,
): Promise<SubUserSession | undefined> {
  return db
    .selectFrom('sub_user_sessions')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', sessionId)
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
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
