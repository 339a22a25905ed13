import { CLOCK_SKEW_MS } from '../identity/sessions/session-token.ts';
import { readToken, signToken } from '../identity/signed-token.ts';
import type { Secrets } from '../startup/secrets.ts';

export const TOKEN_PREFIX = 'svc_su_';

export interface SubUserClaims {
  tenantId: string;
  sessionId: string;
  subUserId: string;
}

/** What a token says to whoever reads it; what it allows is what is stored with its session. */
export interface TokenContent extends SubUserClaims {
  roles: readonly string[];
  permissions: readonly string[];
  /** Milliseconds since 1970. */
  issuedAt: number;
  expiresAt: number;
}

export function signSubUserToken({ subUserKey }: Secrets, content: TokenContent): string {
  const { tenantId: tid, sessionId: sid, subUserId: sub, roles, permissions } = content;
  const iat = Math.floor(content.issuedAt / 1000);
  const exp = Math.ceil(content.expiresAt / 1000);
  return `${TOKEN_PREFIX}${signToken(subUserKey, { tid, sid, sub, roles, permissions, iat, exp })}`;
}

/** Null for whatever we did not sign, or signed for a time that has passed. */
export function readSubUserToken(
  { subUserKey }: Secrets,
  token: string,
  now: number,
): SubUserClaims | null {
  if (!token.startsWith(TOKEN_PREFIX)) return null;
  const said = readToken<{ tid: string; sid: string; sub: string }>(
    subUserKey,
    token.slice(TOKEN_PREFIX.length),
    now - CLOCK_SKEW_MS,
  );
  return said && { tenantId: said.tid, sessionId: said.sid, subUserId: said.sub };
}
