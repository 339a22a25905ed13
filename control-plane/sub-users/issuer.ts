import type { Permission } from '#contract/route.ts';
import { type Holder, holderOfKey, holderOfUser } from '../identity/permission-rules.ts';
import type { findSubUserSession } from './queries.ts';

type Issuer = NonNullable<Awaited<ReturnType<typeof findSubUserSession>>>;

/** What the key or the user that issued a token may do now. Null when the token ends with them. */
export function issuerOf(found: Issuer, now: number): Holder | null {
  if (found.key_permissions !== null) {
    const key = {
      permissions: JSON.parse(found.key_permissions) as Permission[],
      revoked_at: found.key_revoked_at,
      expires_at: found.key_expires_at,
    };
    return holderOfKey(key, now);
  }
  const { user_role: role, disabled, must_change_password, user_created_at } = found;
  // A user who has been deleted.
  if (role === null || disabled === null || must_change_password === null) return null;
  if (user_created_at === null) return null;
  // A new password ends what was opened with the old one, whoever knew that: sessions and tokens.
  if (found.password_changed_at !== null && found.created_at <= found.password_changed_at)
    return null;
  const user = { ...found, role, disabled, must_change_password, created_at: user_created_at };
  return holderOfUser(user, now);
}
