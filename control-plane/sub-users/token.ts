import { CLOCK_SKEW_MS } from '../identity/sessions/session-token.ts';
import { readToken, signToken } from '../identity/signed-token.ts';
import type { Secrets } from '../lib/derived-keys.ts';

export const TOKEN_PREFIX = 'svc_su_';

export interface SubUserClaims {
  tenantId: string;
  sessionId: string;
  subUserId: string;
}

/**
 * The content of a token, which its holder can read. Authorization uses the values stored with the
 * session.
 */
export interface TokenContent extends SubUserClaims {
  roles: readonly string[];
  permissions: readonly string[];
  /** In milliseconds since 1970. */
  issuedAt: number;
  expiresAt: number;
}

export function signSubUserToken({ subUserKey }: Secrets, content: TokenContent): string {
  const { tenantId: tid, sessionId: sid, subUserId: sub, roles, permissions } = content;
  const iat = Math.floor(content.issuedAt / 1000);
  const exp = Math.ceil(content.expiresAt / 1000);
  return `${TOKEN_PREFIX}${signToken(subUserKey, { tid, sid, sub, roles, permissions, iat, exp })}`;
}

/** Reads a token; null if it was not signed here or has expired. */
export function readSubUserToken(
  { subUserKey }: Secrets,
  token: string,
  now: number,
): SubUserClaims | null {
  if (!token.startsWith(TOKEN_PREFIX)) return null;
  const claims = readToken<{ tid: string; sid: string; sub: string }>(
    subUserKey,
    token.slice(TOKEN_PREFIX.length),
    now - CLOCK_SKEW_MS,
  );
  return claims && { tenantId: claims.tid, sessionId: claims.sid, subUserId: claims.sub };
}
