import { ApiError } from '#contract/errors.ts';
import type { notificationRoutes } from '#contract/notifications.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { Handlers } from '../handler.ts';
import { pageOf } from '../http/pagination.ts';
import { channelHandlers } from './channel-handlers.ts';
import { decisionHandlers } from './decision-handlers.ts';
import { findDelivery, listDeliveries, requeueDelivery } from './delivery-queries.ts';
import { ruleHandlers } from './rule-handlers.ts';

export const notificationHandlers: Handlers<typeof notificationRoutes> = {
  ...channelHandlers,
  ...ruleHandlers,
  ...decisionHandlers,

  async listDeliveries(context, { caller, query, url }) {
    const page = await listDeliveries(context.storage.reader, caller.tenantId, query);
    return pageOf(url, query, page);
  },

  redeliver: (context, request) =>
    withAudit(context, request, async (tx, audit) => {
      const { tenantId } = request.caller;
      const { id } = request.params;
      const before = await findDelivery(tx.db, tenantId, id);
      if (!before) throw new ApiError('not_found', `there is no delivery ${id}`);
      const after = await requeueDelivery(tx, tenantId, id, context.now());
      if (!after)
        throw new ApiError(
          'invalid_state',
          before.status === 'waiting'
            ? `delivery ${id} is waiting to be sent`
            : `delivery ${id} was dropped in quiet hours: its events were not kept`,
        );
      audit({
        action: 'notification.redeliver',
        resource_type: 'notification',
        resource_id: id,
        before: { status: before.status, attempts: before.attempts },
        after: { status: after.status, attempts: after.attempts },
      });
      return after;
    }),
};
