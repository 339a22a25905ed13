import { SignJWT, jwtVerify } from 'jose';
import type { Secrets } from '../secrets.ts';

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
    });
    return { tenantId: payload.tid, sessionId: payload.sid };
  } catch {
    return null;
  }
}
