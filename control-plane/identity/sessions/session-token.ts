import type { Secrets } from '../../startup/secrets.ts';
import { readToken, signToken } from '../signed-token.ts';

/** So far the clocks of those who sign and those who read may be apart. */
export const CLOCK_SKEW_MS = 60_000;

export interface SessionClaims {
  tenantId: string;
  sessionId: string;
}

/** A session as a JWT: usable as cookie and as bearer. */
export const signSessionToken = (
  { sessionKey }: Pick<Secrets, 'sessionKey'>,
  { tenantId, sessionId }: SessionClaims,
  expiresAt: number,
): string =>
  signToken(sessionKey, { tid: tenantId, sid: sessionId, exp: Math.floor(expiresAt / 1000) });

/** Null for whatever we did not sign, or signed for a time that has passed. */
export function readSessionToken(
  { sessionKey }: Pick<Secrets, 'sessionKey'>,
  token: string,
  now: number,
): SessionClaims | null {
  const said = readToken<{ tid: string; sid: string }>(sessionKey, token, now - CLOCK_SKEW_MS);
  return said && { tenantId: said.tid, sessionId: said.sid };
}
