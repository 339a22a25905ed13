import { ApiError } from '#contract/errors.ts';
import type { identityRoutes } from '#contract/identity.ts';
import { withAudit } from '../../audit/with-audit.ts';
import type { Context } from '../../context.ts';
import type { SessionCaller } from '../../http/caller.ts';
import type { Handlers } from '../../handler.ts';
import { usersLock } from '../../storage/locks.ts';
import type { Tx } from '../../storage/transaction.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { endSessions, findSession } from '../sessions/session-queries.ts';
import { withSignInRateLimits } from '../sign-in/sign-in-rate-limits.ts';
import { changeUser, findPasswordHash } from '../users/user-queries.ts';
import { requireStrong } from './password-rules.ts';
import { queueByCaller } from './fair-queue.ts';

export const passwordHandlers: Handlers<Pick<typeof identityRoutes, 'changePassword'>> = {
  async changePassword(context, request) {
    const { caller, body, address } = request;
    const storedHash = await requirePassword(context, caller);
    requireStrong('new_password', body.new_password, caller.email);
    if (body.new_password === body.current_password)
      throw new ApiError(
        'validation_error',
        'new_password: expected a password different from the current one',
      );
    const password_hash = await queueByCaller(caller, async () => {
      await requireOwn(context, caller, address, { password: body.current_password, storedHash });
      return hashPassword(body.new_password);
    });
    const now = context.now();
    return withAudit(context, request, async (tx, audit) => {
      const { tenantId, userId, sessionId } = caller;
      await requireUnchanged(tx, caller, storedHash);
      const change = { password_hash, must_change_password: 0, password_changed_at: now };
      await changeUser(tx, tenantId, userId, change);
      const ended = await endSessions(tx, caller, now, sessionId);
      audit({
        action: 'user.change_password',
        resource_type: 'user',
        resource_id: userId,
        metadata: { sessions_ended: ended },
      });
      return undefined;
    });
  },
};

/**
 * Rejects a change that is based on stale data: hashing takes time, and a concurrent change such as
 * an administrator's reset must not be undone. Locks the tenant's users until the transaction ends.
 *
 * @throws ApiError `unauthorized` if the session has ended, `conflict`
 */
async function requireUnchanged(tx: Tx, caller: SessionCaller, storedHash: string): Promise<void> {
  const { tenantId, userId } = caller;
  await tx.lock(usersLock(tenantId));
  const session = await findSession(tx.db, caller);
  if (!session || session.revoked_at !== null || session.disabled)
    throw new ApiError('session_ended', 'the session has ended: sign in again');
  const stored = await findPasswordHash(tx.db, tenantId, userId);
  if (stored?.password_hash !== storedHash)
    throw new ApiError(
      'version_conflict',
      'current_password: the password was changed concurrently',
    );
}

/**
 * Returns the stored hash of the caller's password.
 *
 * @throws ApiError `conflict` if the caller has none
 */
async function requirePassword(
  { storage }: Context,
  { tenantId, userId }: SessionCaller,
): Promise<string> {
  const stored = await findPasswordHash(storage.db, tenantId, userId);
  if (stored?.password_hash) return stored.password_hash;
  throw new ApiError(
    'invalid_state',
    "this account has no password: it signs in with the company's provider",
  );
}

/**
 * Checks the caller's own password. A stolen session must not allow more guesses than an anonymous
 * client has.
 */
const requireOwn = (
  context: Context,
  { email }: SessionCaller,
  address: string,
  { password, storedHash }: { password: string; storedHash: string },
): Promise<void> =>
  withSignInRateLimits(context, { email, address }, async () => {
    if (!(await verifyPassword(password, storedHash)))
      throw new ApiError('wrong_password', 'current_password: wrong password');
  });
