import { z } from 'zod';
import { approval, type approvalRoutes } from '#contract/approvals.ts';
import { ApiError } from '#contract/errors.ts';
import { withAudit } from '../../audit/changing.ts';
import type { Context } from '../../context.ts';
import type { KeyCaller, SessionCaller } from '../../http/caller.ts';
import type { Handlers } from '../../http/handler.ts';
import { pageOf } from '../../http/page.ts';
import { nameOf } from '../../identity/is-sub-user.ts';
import type { Db } from '../../storage/open.ts';
import type { Approval } from './approval-queries.ts';
import { mayDecide } from './approval-rules.ts';
import { storeDecision, getApproval, listApprovals } from './decision-queries.ts';

export const approvalHandlers: Handlers<typeof approvalRoutes> = {
  async listApprovals(context, { caller, query, url }) {
    const { reader } = context.storage;
    const page = await listApprovals(reader, caller.tenantId, context.now(), query);
    return pageOf(url, query, page);
  },

  getApproval: (context, { caller, params }) =>
    requireApproval(context, context.storage.db, caller.tenantId, params.id),

  approve: (context, call) => decide(context, call, 'approved'),

  deny: (context, call) => decide(context, call, 'denied'),
};

interface DecidingCall {
  caller: KeyCaller | SessionCaller;
  address: string;
  params: { id: string };
  body: { note: string };
}

/** Concurrent decisions: the first one wins, the others get `conflict`. */
function decide(
  context: Context,
  call: DecidingCall,
  status: 'approved' | 'denied',
): Promise<Approval> {
  const { caller, params, body } = call;
  return withAudit(context, call, async (trx, audit) => {
    const before = await requireApproval(context, trx, caller.tenantId, params.id);
    if (!mayDecide(caller, JSON.parse(before.approvers) as string[]))
      throw new ApiError('forbidden', 'you are not an approver of this request');
    const after = await storeDecision(trx, before, {
      status,
      decided_at: context.now(),
      decided_by: nameOf(caller),
      note: body.note,
    });
    if (!after) throw tooLate(await requireApproval(context, trx, caller.tenantId, params.id));
    await audit({
      action: status === 'approved' ? 'approval.approve' : 'approval.deny',
      resource_type: 'approval',
      resource_id: after.id,
      before: z.encode(approval, before),
      after: z.encode(approval, after),
    });
    return after;
  });
}

async function requireApproval(
  context: Context,
  db: Db,
  tenantId: string,
  id: string,
): Promise<Approval> {
  const existing = await getApproval(db, tenantId, id, context.now());
  if (!existing) throw new ApiError('not_found', `there is no approval ${id}`);
  return existing;
}

const tooLate = ({ id, status, decided_by, expires_at }: Approval): ApiError =>
  new ApiError(
    'conflict',
    decided_by === null
      ? `approval ${id} expired at ${new Date(expires_at).toISOString()}`
      : `approval ${id} was already ${status} by ${decided_by}`,
  );
