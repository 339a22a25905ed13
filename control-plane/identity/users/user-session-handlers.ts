import { ApiError } from '#contract/errors.ts';
import type { identityRoutes } from '#contract/identity.ts';
import { withAudit } from '../../audit/with-audit.ts';
import type { Handlers } from '../../handler.ts';
import { endSession, endSessions, listSessions } from '../sessions/session-queries.ts';
import { userChange, requireManaged, requireUser } from './user-management.ts';

type OfUsers = Pick<
  typeof identityRoutes,
  'listUserSessions' | 'endUserSessions' | 'endUserSession'
>;

/** Handlers for the administration of other users' sessions. */
export const userSessionHandlers: Handlers<OfUsers> = {
  async listUserSessions(context, { caller, params }) {
    const { db } = context.storage;
    await requireUser(db, caller.tenantId, params.id);
    const rows = await listSessions(db, { ...caller, userId: params.id }, context.now());
    const current = 'userId' in caller ? caller.sessionId : undefined;
    const results = rows.map((row) => ({ ...row, current: row.id === current }));
    return { results, count: results.length };
  },

  endUserSessions: (context, request) =>
    withAudit(context, request, async (tx, audit) => {
      const { caller, params } = request;
      await requireManaged(tx, caller, params.id);
      const ended = await endSessions(tx, { ...caller, userId: params.id }, context.now());
      audit({ ...userChange('end_sessions', params.id), metadata: { ended } });
      return { ended };
    }),

  endUserSession: (context, request) =>
    withAudit(context, request, async (tx, audit) => {
      const { caller, params } = request;
      const { id: userId, session_id: sessionId } = params;
      await requireManaged(tx, caller, userId);
      const of = { tenantId: caller.tenantId, userId, sessionId };
      if (!(await endSession(tx, of, context.now())))
        throw new ApiError('not_found', `there is no session ${sessionId}`);
      audit({
        action: 'session.end',
        resource_type: 'session',
        resource_id: sessionId,
        metadata: { user_id: userId },
      });
      return undefined;
    }),
};
