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

/** Whose a token is, as long as it is valid. Times are milliseconds since 1970. */
export interface SubUser {
  tenantId: string;
  sessionId: string;
  subUserId: string;
  email: string | null;
  displayName: string | null;
  /** As issued, without those of ours that the issuer may not give any more. */
  roles: string[];
  permissions: string[];
  /** What these allow here. */
  authority: Authority;
  issuedAt: number;
  expiresAt: number;
}

/** Null for a token that is forged or has ended, whyever: which of them is nobody's business. */
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

/** What is left of a token's names while its issuer may do only this. */
export function subUserStatus(
  names: Names,
  issuer: Authority,
): Pick<SubUser, 'roles' | 'permissions' | 'authority'> {
  const known = {
    roles: namesIn(names.known_roles),
    permissions: namesIn(names.known_permissions),
  };
  const { roles, permissions } = within(
    { roles: known.roles.filter(isRole), permissions: known.permissions.filter(isPermission) },
    issuer,
  );
  return {
    roles: withoutLost(namesIn(names.roles), known.roles, roles),
    permissions: withoutLost(namesIn(names.permissions), known.permissions, permissions),
    authority: { role: strongestRole(roles), permissions },
  };
}

const withoutLost = (all: string[], known: string[], kept: readonly string[]): string[] =>
  all.filter((name) => !known.includes(name) || kept.includes(name));

const namesIn = (json: string): string[] => JSON.parse(json) as string[];
