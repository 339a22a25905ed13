import { ApiError } from '#contract/errors.ts';
import type { Context } from '../context.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import {
  type Account,
  clearFailures,
  countFailure,
  findUserByEmail,
  insertSession,
} from './queries.ts';
import { signSessionToken } from './session-token.ts';

const SESSION_MS = 12 * 60 * 60 * 1000;
const FAILURE_WINDOW_MS = 15 * 60 * 1000;
const FAILURES_ALLOWED = 10;

export interface SignIn {
  email: string;
  password: string;
  address: string;
}

let decoy: Promise<string> | undefined;

/** @throws ApiError `unauthorized` alike for an unknown account and a wrong password, `rate_limited` */
export async function signIn(context: Context, attempt: SignIn) {
  const { db } = context.storage;
  const now = context.now();
  const account = { email: attempt.email.trim().toLowerCase(), address: attempt.address };
  await refuseTooMany(context, account, now);
  const user = await findUserByEmail(db, account.email);
  // An unknown account costs as much time as a known one, so that time does not tell them apart.
  decoy ??= hashPassword('no such account');
  const matches = await verifyPassword(attempt.password, user?.password_hash ?? (await decoy));
  if (!user || !matches) throw new ApiError('unauthorized', 'the email or the password is wrong');
  await clearFailures(db, account);
  const session = {
    tenant_id: user.tenant_id,
    id: context.newId('ses'),
    user_id: user.id,
    created_at: now,
    expires_at: now + SESSION_MS,
  };
  await insertSession(db, session);
  const claims = { tenantId: user.tenant_id, sessionId: session.id };
  const token = await signSessionToken(context.secrets, claims, session.expires_at);
  return { user, token, expiresAt: session.expires_at, lifetimeSeconds: SESSION_MS / 1000 };
}

/** Until it is cleared, the attempt that was let through counts as failed. */
async function refuseTooMany(context: Context, account: Account, now: number): Promise<void> {
  const limit = { since: now - FAILURE_WINDOW_MS, allowed: FAILURES_ALLOWED };
  const failures = await countFailure(context.storage, { ...account, at: now }, limit);
  if (!failures) return;
  const oldest = failures[failures.length - FAILURES_ALLOWED] ?? now;
  const wait = Math.ceil((oldest + FAILURE_WINDOW_MS - now) / 1000);
  throw new ApiError('rate_limited', `too many failed sign-ins: try again in ${wait} seconds`, {
    retry_after: wait,
  });
}
