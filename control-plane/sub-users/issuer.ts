import type { Permission } from '#contract/route.ts';
import { type Holder, holderOfKey, holderOfUser } from '../identity/permission-rules.ts';
import type { findSubUserSession } from './queries.ts';

type Issuer = NonNullable<Awaited<ReturnType<typeof findSubUserSession>>>;

/** Current authority of the key or user that issued a token. Null if the token ends with it. */
export function issuerOf(issuer: Issuer, now: number): Holder | null {
  if (issuer.key_permissions !== null) {
    const key = {
      permissions: JSON.parse(issuer.key_permissions) as Permission[],
      revoked_at: issuer.key_revoked_at,
      expires_at: issuer.key_expires_at,
    };
    return holderOfKey(key, now);
  }
  const { user_role: role, disabled, must_change_password, user_created_at } = issuer;
  // The user was deleted.
  if (role === null || disabled === null || must_change_password === null) return null;
  if (user_created_at === null) return null;
  // A password change ends all sessions and tokens opened with the old password, which may have
  // leaked.
  if (issuer.password_changed_at !== null && issuer.created_at <= issuer.password_changed_at)
    return null;
  const user = { ...issuer, role, disabled, must_change_password, created_at: user_created_at };
  return holderOfUser(user, now);
}
