import type { Context } from '../context.ts';
import {
  type Authority,
  isPermission,
  isRole,
  strongestRole,
  within,
} from '../identity/permission-rules.ts';
import { issuerOf } from './issuer.ts';
import { findSubUserSession, type SubUserSession } from './queries.ts';
import { readSubUserToken } from './token.ts';

/** The subject of a token while it is valid. Times are milliseconds since 1970. */
export interface SubUser {
  tenantId: string;
  sessionId: string;
  subUserId: string;
  email: string | null;
  displayName: string | null;
  /** As issued, minus built-in roles that the issuer may no longer grant. */
  roles: string[];
  permissions: string[];
  /** Effective authority of those roles and permissions. */
  authority: Authority;
  issuedAt: number;
  expiresAt: number;
}

/** Null if the token is invalid or has ended, without saying which. */
export async function findSubUser(
  { secrets, storage, now }: Pick<Context, 'secrets' | 'storage' | 'now'>,
  token: string,
): Promise<SubUser | null> {
  const at = now();
  const claims = readSubUserToken(secrets, token, at);
  if (!claims) return null;
  const session = await findSubUserSession(storage.db, claims.tenantId, claims.sessionId, at);
  if (session?.sub_user_id !== claims.subUserId) return null;
  const issuer = issuerOf(session, at);
  if (!issuer) return null;
  return {
    ...claims,
    email: session.email,
    displayName: session.display_name,
    ...subUserStatus(session, issuer),
    issuedAt: session.created_at,
    expiresAt: session.expires_at,
  };
}

type Names = Pick<SubUserSession, 'roles' | 'permissions' | 'known_roles' | 'known_permissions'>;

/** The roles and permissions of a token that its issuer may still grant. */
export function subUserStatus(
  names: Names,
  issuer: Authority,
): Pick<SubUser, 'roles' | 'permissions' | 'authority'> {
  const valid = {
    roles: namesIn(names.known_roles),
    permissions: namesIn(names.known_permissions),
  };
  const { roles, permissions } = within(
    { roles: valid.roles.filter(isRole), permissions: valid.permissions.filter(isPermission) },
    issuer,
  );
  return {
    roles: withoutLost(namesIn(names.roles), valid.roles, roles),
    permissions: withoutLost(namesIn(names.permissions), valid.permissions, permissions),
    authority: { role: strongestRole(roles), permissions },
  };
}

const withoutLost = (all: string[], builtIn: string[], remaining: readonly string[]): string[] =>
  all.filter((name) => !builtIn.includes(name) || remaining.includes(name));

const namesIn = (json: string): string[] => JSON.parse(json) as string[];
