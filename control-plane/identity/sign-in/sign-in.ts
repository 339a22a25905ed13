import { ApiError } from '#contract/errors.ts';
import { signInRoutes } from '#contract/sign-in.ts';
import type { Context } from '../../context.ts';
import { authorize, isSuspended } from '../../tenants/authorize.ts';
import { queueByNetwork } from '../password/fair-queue.ts';
import { unmatchableHash, verifyPassword } from '../password/passwords.ts';
import { CLOCK_SKEW_MS } from '../sessions/session-token.ts';
import { openSession } from '../sessions/open-session.ts';
import { deleteExpiredSessions } from '../sessions/session-queries.ts';
import { findUserByEmail } from '../users/user-queries.ts';
import { withSignInRateLimits } from './sign-in-rate-limits.ts';
import { auditFailure } from './audit-failure.ts';

export interface SignIn {
  email: string;
  password: string;
  address: string;
  userAgent: string | undefined;
}

/**
 * @throws ApiError `unauthorized`, the same for an unknown account and a wrong password;
 * `forbidden` for the right password of a disabled account or of a suspended tenant;
 * `rate_limited`; `unavailable` if too many sign-ins are in progress
 */
export async function signIn(
  context: Context,
  { password, address, userAgent, ...attempt }: SignIn,
) {
  const email = attempt.email.trim().toLowerCase();
  const user = await queueByNetwork(address, () =>
    withSignInRateLimits(context, { email, address }, () =>
      prove(context, { email, password, address }),
    ),
  );
  const arrival = { method: 'password', address, userAgent } as const;
  const session = await context.storage.transaction((tx) =>
    openSession(tx, context, user, arrival),
  );
  const before = context.now() - CLOCK_SKEW_MS;
  await context.storage.transaction((tx) => deleteExpiredSessions(tx, user.tenant_id, before));
  return { user, session };
}

/** Authenticates a user by password, and checks that the user may sign in. */
async function prove(
  context: Context,
  { email, password, address }: Pick<SignIn, 'email' | 'password' | 'address'>,
) {
  const user = await findUserByEmail(context.storage.db, email);
  // An unknown account takes as long as a known one, so that timing does not reveal which accounts
  // exist.
  const matches = await verifyPassword(password, user?.password_hash || unmatchableHash);
  const fail = (reason: string) =>
    auditFailure(context, { method: 'password', reason, email, address, user });
  if (!user?.password_hash || !matches) {
    await fail(user ? 'wrong password' : 'unknown account');
    throw new ApiError('invalid_credentials', 'wrong email or password');
  }
  if (user.disabled) {
    await fail('disabled');
    throw new ApiError('account_disabled', 'this account is disabled: ask an administrator');
  }
  // With the right password, the caller already knows the name of the tenant.
  if (await isSuspended(context, user.tenant_id))
    throw new ApiError('tenant_suspended', `the tenant "${user.tenant_name}" is suspended`);
  const credential = { tenantId: user.tenant_id, callerOf: () => user };
  return authorize(context, credential, signInRoutes.login);
}
