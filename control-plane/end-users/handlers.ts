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

  putEndUserLimits: (context, call) =>
    withAudit(context, call, async (tx, audit) => {
      const { tenantId } = call.caller;
      const before = await findLimits(tx.db, tenantId, call.params);
      const after = {
        tenant_id: tenantId,
        ...call.params,
        ...call.body,
        updated_at: context.now(),
      };
      await putLimits(tx, after);
      audit({
        action: 'end_user_limits.update',
        resource_type: `end_${call.params.kind}`,
        resource_id: call.params.id,
        before,
        after,
      });
      return after;
    }),

  deleteEndUserLimits: (context, call) =>
    withAudit(context, call, async (tx, audit) => {
      const { kind, id } = call.params;
      const before = await findLimits(tx.db, call.caller.tenantId, call.params);
      if (!before) throw new ApiError('not_found', `${kind} ${id} has no limits`);
      await deleteLimits(tx, call.caller.tenantId, call.params);
      audit({
        action: 'end_user_limits.delete',
        resource_type: `end_${kind}`,
        resource_id: id,
        before,
      });
      return undefined;
    }),
};
