import { createClient } from '#contract/client.ts';
import { REASON_HEADER } from '#contract/error-codes.ts';
import type { ErrorReason } from '#contract/error-reasons.ts';
import { contract } from '#contract/index.ts';
import { beginSession, endSession, readSession, suspendSession } from './session.ts';
import type { User } from './session.ts';

export const api = createClient(contract, { baseUrl: location.origin, fetch: fetchWithSession });

const PASSWORD_CHANGE: ErrorReason = 'password_change_required';
const SUSPENDED: ErrorReason = 'tenant_suspended';

async function fetchWithSession(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.status === 401) endSession();
  const reason = response.headers.get(REASON_HEADER);
  const isChecked = reason === PASSWORD_CHANGE || reason === SUSPENDED;
  if (isChecked && readSession().status === 'signed-in') void checkSession();
  return response;
}

/**
 * Checks the session after such an error. During a session, a password can expire or the tenant can
 * be suspended; the service then rejects every other request. Switching to another suspended tenant
 * fails with the same reason, so the error alone is not sufficient.
 */
async function checkSession(): Promise<void> {
  const response = await fetch(location.origin + contract.identity.me.path).catch(() => undefined);
  if (response?.headers.get(REASON_HEADER) === SUSPENDED) suspendSession();
  if (!response?.ok) return;
  const user = (await response.json()) as User;
  if (user.must_change_password) beginSession(user);
}
