import { api } from './api.ts';
import { describeError } from './describe-error.ts';
import { beginSession, readSession } from './session.ts';

/**
 * Loads the signed-in user. A response, also a 401, updates the session; otherwise returns the
 * error.
 */
export async function restoreSession(): Promise<string | undefined> {
  try {
    beginSession(await api.identity.me());
  } catch (error) {
    if (readSession().status === 'unknown') return describeError(error);
  }
  return undefined;
}
