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
    const found = await listApprovals(reader, caller.tenantId, context.now(), query);
    return pageOf(url, query, found);
  },

  getApproval: (context, { caller, params }) =>
    found(context, context.storage.db, caller.tenantId, params.id),

  approve: (context, call) => settle(context, call, 'approved'),

  deny: (context, call) => settle(context, call, 'denied'),
};

interface DecidingCall {
  caller: KeyCaller | SessionCaller;
  address: string;
  params: { id: string };
  body: { note: string };
}

/** Of several who decide at once one is first; the others are told so. */
function settle(
  context: Context,
  call: DecidingCall,
  status: 'approved' | 'denied',
): Promise<Approval> {
  const { caller, params, body } = call;
  return withAudit(context, call, async (trx, audit) => {
    const before = await found(context, trx, caller.tenantId, params.id);
    if (!mayDecide(caller, JSON.parse(before.approvers) as string[]))
      throw new ApiError('forbidden', 'you are none of those who may decide this');
    const after = await storeDecision(trx, before, {
      status,
      decided_at: context.now(),
      decided_by: nameOf(caller),
      note: body.note,
    });
    if (!after) throw tooLate(await found(context, trx, caller.tenantId, params.id));
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

async function found(context: Context, db: Db, tenantId: string, id: string): Promise<Approval> {
  const known = await getApproval(db, tenantId, id, context.now());
  if (!known) throw new ApiError('not_found', `there is no approval ${id}`);
  return known;
}

const tooLate = ({ id, status, decided_by, expires_at }: Approval): ApiError =>
  new ApiError(
    'conflict',
    decided_by === null
      ? `approval ${id} was to be decided by ${new Date(expires_at).toISOString()}`
      : `approval ${id} is ${status} already, by ${decided_by}`,
  );
