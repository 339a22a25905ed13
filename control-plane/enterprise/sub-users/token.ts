import { SignJWT, jwtVerify } from 'jose';
import { CLOCK_SKEW_MS } from '../../identity/session-token.ts';
import type { Secrets } from '../../secrets.ts';

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

export async function signSubUserToken(secrets: Secrets, content: TokenContent): Promise<string> {
  const { tenantId: tid, sessionId: sid, subUserId: sub, roles, permissions } = content;
  const token = await new SignJWT({
    tid,
    sid,
    sub,
    roles: [...roles],
    permissions: [...permissions],
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt(Math.floor(content.issuedAt / 1000))
    .setExpirationTime(Math.ceil(content.expiresAt / 1000))
    .sign(secrets.subUserKey);
  return `${TOKEN_PREFIX}${token}`;
}

/** Null for whatever we did not sign, or signed for a time that has passed. */
export async function readSubUserToken(
  secrets: Secrets,
  token: string,
  now: number,
): Promise<SubUserClaims | null> {
  if (!token.startsWith(TOKEN_PREFIX)) return null;
  try {
    const { payload } = await jwtVerify<{ tid: string; sid: string; sub: string }>(
      token.slice(TOKEN_PREFIX.length),
      secrets.subUserKey,
      {
        algorithms: ['HS256'],
        clockTolerance: CLOCK_SKEW_MS / 1000,
        currentDate: new Date(now),
      },
    );
    return { tenantId: payload.tid, sessionId: payload.sid, subUserId: payload.sub };
  } catch {
    return null;
  }
}
