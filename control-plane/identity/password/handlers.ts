import { ApiError } from '#contract/errors.ts';
import type { identityRoutes } from '#contract/identity.ts';
import { changing } from '../../audit/changing.ts';
import type { Context } from '../../context.ts';
import type { Handlers, SessionCaller } from '../../http/call.ts';
import { hashPassword, verifyPassword } from '../passwords.ts';
import { endSessions } from '../sessions/queries.ts';
import { limitGuesses } from '../sign-in/limit.ts';
import { changeUser, findPasswordHash } from '../users/queries.ts';
import { requireStrong } from './require-strong.ts';

export const passwordHandlers: Handlers<Pick<typeof identityRoutes, 'changePassword'>> = {
  async changePassword(context, call) {
    const { caller, body, address } = call;
    await requireOwn(context, caller, address, body.current_password);
    requireStrong('new_password', body.new_password, caller.email);
    if (body.new_password === body.current_password)
      throw new ApiError('validation_error', 'new_password: expected another one than before');
    const password_hash = await hashPassword(body.new_password);
    const now = context.now();
    return changing(context, call, async (trx, audit) => {
      const { tenantId, userId, sessionId } = caller;
      const change = { password_hash, must_change_password: 0, password_changed_at: now };
      await changeUser(trx, tenantId, userId, change);
      const ended = await endSessions(trx, caller, now, sessionId);
      await audit({
        action: 'user.change_password',
        resource_type: 'user',
        resource_id: userId,
        metadata: { sessions_ended: ended },
      });
      return undefined;
    });
  },
};

/** Whoever found somebody's open session may guess no more often than anybody else. */
async function requireOwn(
  context: Context,
  { tenantId, userId, email }: SessionCaller,
  address: string,
  password: string,
): Promise<void> {
  const stored = await findPasswordHash(context.storage.db, tenantId, userId);
  if (!stored?.password_hash)
    throw new ApiError(
      'conflict',
      "you have no password: you sign in with your company's provider",
    );
  const { forgive } = await limitGuesses(context, { email, address });
  if (!(await verifyPassword(password, stored.password_hash)))
    throw new ApiError('validation_error', 'current_password: this is not your password');
  await forgive();
}
