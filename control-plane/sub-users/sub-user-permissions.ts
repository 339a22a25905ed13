import type { Permission } from '#contract/route.ts';
import {
  type CurrentPrivileges,
  privilegesOfKey,
  privilegesOfUser,
  type Privileges,
  isPermission,
  isRole,
  strongestRole,
  reduceGrant,
} from '../identity/permission-rules.ts';
import { findSubUserSession, type SubUserSession } from './queries.ts';
import type { Context } from '../context.ts';
import { readSubUserToken } from './token.ts';

/** The subject of a token while it is valid. Times are milliseconds since 1970. */
export interface SubUser {
  tenantId: string;
  sessionId: string;
  subUserId: string;
  email: string | null;
  displayName: string | null;
  /** As issued, except for built-in roles that the issuer may no longer grant. */
  roles: string[];
  permissions: string[];
  /** The effective privileges of those roles and permissions. */
  privileges: Privileges;
  issuedAt: number;
  expiresAt: number;
}

/**
 * Finds the sub-user of a token; null if the token is invalid or has ended, without saying which.
 */
export async function findSubUser(
  { secrets, storage, now }: Pick<Context, 'secrets' | 'storage' | 'now'>,
  token: string,
): Promise<SubUser | null> {
  const at = now();
  const claims = readSubUserToken(secrets, token, at);
  if (!claims) return null;
  const session = await findSubUserSession(storage.db, claims.tenantId, claims.sessionId, at);
  if (session?.sub_user_id !== claims.subUserId) return null;
  const issuer = privilegesOfIssuer(session, at);
  if (!issuer) return null;
  return {
    ...claims,
    email: session.email,
    displayName: session.display_name,
    ...currentGrant(session, issuer),
    issuedAt: session.created_at,
    expiresAt: session.expires_at,
  };
}

type Names = Pick<SubUserSession, 'roles' | 'permissions' | 'known_roles' | 'known_permissions'>;

/** Returns the roles and permissions of a token that its issuer may still grant. */
export function currentGrant(
  names: Names,
  issuer: Privileges,
): Pick<SubUser, 'roles' | 'permissions' | 'privileges'> {
  const valid = {
    roles: namesIn(names.known_roles),
    permissions: namesIn(names.known_permissions),
  };
  const { roles, permissions } = reduceGrant(
    { roles: valid.roles.filter(isRole), permissions: valid.permissions.filter(isPermission) },
    issuer,
  );
  return {
    roles: withoutRevoked(namesIn(names.roles), valid.roles, roles),
    permissions: withoutRevoked(namesIn(names.permissions), valid.permissions, permissions),
    privileges: { role: strongestRole(roles), permissions },
  };
}

const withoutRevoked = (all: string[], builtIn: string[], remaining: readonly string[]): string[] =>
  all.filter((name) => !builtIn.includes(name) || remaining.includes(name));

const namesIn = (json: string): string[] => JSON.parse(json) as string[];

type Issuer = NonNullable<Awaited<ReturnType<typeof findSubUserSession>>>;

/**
 * Returns the current privileges of the key or user that issued a token; null if the token has ended
 * with it.
 */
export function privilegesOfIssuer(issuer: Issuer, now: number): CurrentPrivileges | null {
  if (issuer.key_permissions !== null) {
    const key = {
      permissions: JSON.parse(issuer.key_permissions) as Permission[],
      revoked_at: issuer.key_revoked_at,
      expires_at: issuer.key_expires_at,
    };
    return privilegesOfKey(key, now);
  }
  const { user_role: role, disabled, must_change_password, user_created_at } = issuer;
  // The user was deleted.
  if (role === null || disabled === null || must_change_password === null) return null;
  if (user_created_at === null) return null;
  // A password change ends all sessions and tokens that were opened with the old password, which
  // may have leaked.
  if (issuer.password_changed_at !== null && issuer.created_at <= issuer.password_changed_at)
    return null;
  const user = { ...issuer, role, disabled, must_change_password, created_at: user_created_at };
  return privilegesOfUser(user, now);
}
