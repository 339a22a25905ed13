import type { Permission } from '#contract/route.ts';
import { type SubUserRole, subUserRoles } from '#contract/sub-users.ts';
import type { Context } from '../../context.ts';
import { findSubUserSession } from './queries.ts';
import { readSubUserToken } from './token.ts';

/** Whose a token is, as long as it is valid. Times are milliseconds since 1970. */
export interface SubUser {
  tenantId: string;
  sessionId: string;
  subUserId: string;
  email: string | null;
  displayName: string | null;
  roles: readonly SubUserRole[];
  permissions: readonly Permission[];
  issuedAt: number;
  expiresAt: number;
}

/** Null for a token that is forged or has ended, whyever: which of them is nobody's business. */
export async function findSubUser(
  { secrets, storage, now }: Pick<Context, 'secrets' | 'storage' | 'now'>,
  token: string,
): Promise<SubUser | null> {
  const at = now();
  const claims = await readSubUserToken(secrets, token, at);
  if (!claims) return null;
  const session = await findSubUserSession(storage.db, claims.tenantId, claims.sessionId, at);
  if (session?.sub_user_id !== claims.subUserId) return null;
  return {
    ...claims,
    email: session.email,
    displayName: session.display_name,
    roles: JSON.parse(session.roles) as SubUserRole[],
    permissions: JSON.parse(session.permissions) as Permission[],
    issuedAt: session.created_at,
    expiresAt: session.expires_at,
  };
}

/** Of several roles the strongest counts. */
export const strongestRole = (roles: readonly SubUserRole[]): SubUserRole | undefined =>
  subUserRoles.findLast((role) => roles.includes(role));
