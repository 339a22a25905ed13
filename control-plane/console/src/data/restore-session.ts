import { api } from './api.ts';
import { describeError } from './describe-error.ts';
import { beginSession, endSession, readSession } from './session.ts';

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
    if (readSession().status === 'unknown') return describeError(error);
  }
  return undefined;
}
