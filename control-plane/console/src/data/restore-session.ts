import { ResponseError } from '#contract/client.ts';
import { api } from './api.ts';
import { describeError } from './describe-error.ts';
import { beginSession, endSession, readSession, suspendSession } from './session.ts';
import type { Session } from './session.ts';

/** The page shows the error nowhere else at this time. */
const waiting: readonly Session['status'][] = ['unknown', 'suspended'];

/**
 * Loads the signed-in user. A response, also a 401, updates the session; otherwise returns the
 * error. A visitor without a session is not asked for one: browsers report each 401 as an error.
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
