import type { Secrets } from '../../lib/derived-keys.ts';
import { readToken, signToken } from '../signed-token.ts';

/** The tolerated difference between the clocks of signer and verifier. */
export const CLOCK_SKEW_MS = 60_000;

export interface SessionClaims {
  tenantId: string;
  sessionId: string;
}

/** Signs a session as a JWT that can be used as a cookie and as a bearer token. */
export const signSessionToken = (
  { sessionKey }: Pick<Secrets, 'sessionKey'>,
  { tenantId, sessionId }: SessionClaims,
  expiresAt: number,
): string =>
  signToken(sessionKey, { tid: tenantId, sid: sessionId, exp: Math.floor(expiresAt / 1000) });

/** Reads a session token; null if it was not signed here or has expired. */
export function readSessionToken(
  { sessionKey }: Pick<Secrets, 'sessionKey'>,
  token: string,
  now: number,
): SessionClaims | null {
  const claims = readToken<{ tid: string; sid: string }>(sessionKey, token, now - CLOCK_SKEW_MS);
  return claims && { tenantId: claims.tid, sessionId: claims.sid };
}
