import { createClient } from '#contract/client.ts';
import { REASON_HEADER } from '#contract/error-codes.ts';
import type { ErrorReason } from '#contract/error-reasons.ts';
import { contract } from '#contract/index.ts';
import { beginSession, endSession, readSession } from './session.ts';
import type { User } from './session.ts';

export const api = createClient(contract, { baseUrl: location.origin, fetch: fetchWithSession });

const PASSWORD_CHANGE: ErrorReason = 'password_change_required';

async function fetchWithSession(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.status === 401) endSession();
  const reason = response.headers.get(REASON_HEADER);
  if (reason === PASSWORD_CHANGE && readSession().status === 'signed-in') void checkPassword();
  return response;
}

/** A password can expire during a session: the service then rejects every other request. */
async function checkPassword(): Promise<void> {
  const response = await fetch(location.origin + contract.identity.me.path).catch(() => undefined);
  if (!response?.ok) return;
  const user = (await response.json()) as User;
  if (user.must_change_password) beginSession(user);
}
