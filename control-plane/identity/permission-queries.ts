import type { Db } from '../storage/open.ts';

/** The columns that determine a user's permissions. */
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
