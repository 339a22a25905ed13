import { ResponseError } from '#contract/client.ts';
import { api } from './api.ts';
import { describeError } from './describe-error.ts';
import { beginSession, endSession, readSession, suspendSession } from './session.ts';
import type { Session } from './session.ts';

/** In these states no other part of the page shows the error. */
const waiting: readonly Session['status'][] = ['unknown', 'suspended'];

/**
 * Loads the signed-in user. Every response updates the session, including a 401; other failures are
 * returned as an error. Without a session cookie there is no request, because browsers log each 401
 * as an error.
 */
export async function restoreSession(): Promise<string | undefined> {
  try {
    const { has_cookie } = await api.identity.listSignInMethods();
    if (has_cookie) beginSession(await api.identity.me());
    else endSession();
  } catch (error) {
    if (error instanceof ResponseError && error.reason === 'tenant_suspended') suspendSession();
    if (waiting.includes(readSession().status)) return describeError(error);
  }
  return undefined;
}
