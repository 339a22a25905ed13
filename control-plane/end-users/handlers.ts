import type { endUserRoutes } from '#contract/end-users.ts';
import { ApiError } from '#contract/errors.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { Handlers } from '../handler.ts';
import { pageOf } from '../http/pagination.ts';
import { deleteLimits, findLimits, listLimits, putLimits } from './queries.ts';

export const endUserHandlers: Handlers<typeof endUserRoutes> = {
  async listEndUserLimits(context, { caller, query, url }) {
    return pageOf(url, query, await listLimits(context.storage.db, caller.tenantId, query));
  },

  putEndUserLimits: (context, request) =>
    withAudit(context, request, async (tx, audit) => {
      const { tenantId } = request.caller;
      const before = await findLimits(tx.db, tenantId, request.params);
      const after = {
        tenant_id: tenantId,
        ...request.params,
        ...request.body,
        updated_at: context.now(),
      };
      await putLimits(tx, after);
      audit({
        action: 'end_user_limits.update',
        resource_type: `end_${request.params.kind}`,
        resource_id: request.params.id,
        before,
        after,
      });
      return after;
    }),

  deleteEndUserLimits: (context, request) =>
    withAudit(context, request, async (tx, audit) => {
      const { kind, id } = request.params;
      const before = await findLimits(tx.db, request.caller.tenantId, request.params);
      if (!before) throw new ApiError('not_found', `${kind} ${id} has no limits`);
      await deleteLimits(tx, request.caller.tenantId, request.params);
      audit({
        action: 'end_user_limits.delete',
        resource_type: `end_${kind}`,
        resource_id: id,
        before,
      });
      return undefined;
    }),
};
