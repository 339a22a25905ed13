import { z } from 'zod';
import type { Context } from '../../context.ts';
import { cookieOf, readCookie } from '../sessions/cookie.ts';

const NAME = 'svc_oidc';
const PATH = '/api/v1/auth/oidc/';
const MINUTES = 10;

const pending = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  return_to: z.string(),
  expires_at: z.int(),
});

/** A sign-in in progress. Only the browser that started it can finish it. */
export type Pending = Omit<z.output<typeof pending>, 'expires_at'>;

/**
 * Returns the cookie that stores the pending sign-in, encrypted, in the browser. The server keeps
 * no state, and scripts can neither read nor modify the cookie.
 */
export function pendingCookie(context: Context, begun: Pending): string {
  const expires_at = context.now() + MINUTES * 60_000;
  const value = context.secrets.encrypt(JSON.stringify({ ...begun, expires_at }));
  return cookieOf(context, { name: NAME, value, path: PATH, seconds: MINUTES * 60 });
}

export const noPendingCookie = (context: Context): string =>
  cookieOf(context, { name: NAME, value: '', path: PATH, seconds: 0 });

/** Reads the pending sign-in; null if it is missing, invalid or expired. */
export function readPending(context: Context, cookies: string | undefined): Pending | null {
  const sealed = readCookie(cookies, NAME);
  if (!sealed) return null;
  try {
    const begun = pending.parse(JSON.parse(context.secrets.decrypt(sealed)));
    return begun.expires_at > context.now() ? begun : null;
  } catch {
    return null;
  }
}
