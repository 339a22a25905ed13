import { SignJWT, jwtVerify } from 'jose';
import type { Secrets } from '../secrets.ts';

/** So far the clocks of those who sign and those who read may be apart. */
export const CLOCK_SKEW_MS = 60_000;

export interface SessionClaims {
  tenantId: string;
  sessionId: string;
}

/** A session as a JWT: usable as cookie and as bearer. */
export function signSessionToken(
  secrets: Secrets,
  claims: SessionClaims,
  expiresAt: number,
): Promise<string> {
  return new SignJWT({ tid: claims.tenantId, sid: claims.sessionId })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setExpirationTime(Math.floor(expiresAt / 1000))
    .sign(secrets.sessionKey);
}

/** Null for whatever we did not sign, or signed for a time that has passed. */
export async function readSessionToken(
  secrets: Secrets,
  token: string,
  now: number,
): Promise<SessionClaims | null> {
  try {
    const { payload } = await jwtVerify<{ tid: string; sid: string }>(token, secrets.sessionKey, {
      algorithms: ['HS256'],
      currentDate: new Date(now),
      clockTolerance: CLOCK_SKEW_MS / 1000,
    });
    return { tenantId: payload.tid, sessionId: payload.sid };
  } catch {
    return null;
  }
}
