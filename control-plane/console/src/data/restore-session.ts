import { api } from './api.ts';
import { describeError } from './describe-error.ts';
import { beginSession, readSession } from './session.ts';

/** Asks who is signed in: the answer, also a refusal, changes the session. Else says why not. */
export async function restoreSession(): Promise<string | undefined> {
  try {
    beginSession(await api.identity.me());
  } catch (error) {
    if (readSession().status === 'unknown') return describeError(error);
  }
  return undefined;
}
