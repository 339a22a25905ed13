import { ApiError } from '#contract/errors.ts';
import type { identityRoutes } from '#contract/identity.ts';
import { withAudit } from '../../audit/with-audit.ts';
import type { Handlers } from '../../handler.ts';
import { endSession, endSessions, listSessions } from './session-queries.ts';

type Own = Pick<typeof identityRoutes, 'listSessions' | 'endOtherSessions' | 'endSession'>;

/** Handlers for a user's own sessions. */
export const sessionHandlers: Handlers<Own> = {
  async listSessions(context, { caller }) {
    const rows = await listSessions(context.storage.db, caller, context.now());
    const results = rows.map((row) => ({ ...row, current: row.id === caller.sessionId }));
    return { results, count: results.length };
  },

  endOtherSessions: (context, request) =>
    withAudit(context, request, async (tx, audit) => {
      const { caller } = request;
      const ended = await endSessions(tx, caller, context.now(), caller.sessionId);
      audit({
        action: 'session.end_others',
        resource_type: 'user',
        resource_id: caller.userId,
        metadata: { ended },
      });
      return { ended };
    }),

  endSession: (context, request) =>
    withAudit(context, request, async (tx, audit) => {
      const { tenantId, userId } = request.caller;
      const sessionId = request.params.id;
      if (!(await endSession(tx, { tenantId, userId, sessionId }, context.now())))
        throw new ApiError('not_found', `there is no session ${sessionId}`);
      audit({ action: 'session.end', resource_type: 'session', resource_id: sessionId });
      return undefined;
    }),
};
