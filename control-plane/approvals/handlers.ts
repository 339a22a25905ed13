import { z } from 'zod';
import { approval, type approvalRoutes } from '#contract/approvals.ts';
import { ApiError } from '#contract/errors.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { Context } from '../context.ts';
import type { KeyCaller, SessionCaller } from '../http/caller.ts';
import type { Handlers } from '../handler.ts';
import { pageOf } from '../http/pagination.ts';
import { displayNameOf } from '../identity/is-sub-user.ts';
import type { Db } from '../storage/open.ts';
import type { Approval } from './queries.ts';
import { mayDecide } from './rules.ts';
import { storeDecision, getApproval, listApprovals } from './decision-queries.ts';

export const approvalHandlers: Handlers<typeof approvalRoutes> = {
  async listApprovals(context, { caller, query, url }) {
    const { reader } = context.storage;
    const page = await listApprovals(reader, caller.tenantId, context.now(), query);
    return pageOf(url, query, page);
  },

  getApproval: (context, { caller, params }) =>
    requireApproval(context, context.storage.db, caller.tenantId, params.id),

  approve: (context, request) => decide(context, request, 'approved'),

  deny: (context, request) => decide(context, request, 'denied'),

  async decideApprovals(context, request) {
    const { caller, address, body } = request;
    const { ids, decision, note } = body;
    const status = decision === 'approve' ? 'approved' : 'denied';
    const decided: string[] = [];
    const refused: { id: string; error: string }[] = [];
    for (const id of new Set(ids))
      try {
        await decide(context, { caller, address, params: { id }, body: { note } }, status);
        decided.push(id);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        refused.push({ id, error: error.message });
      }
    return { decided, refused };
  },
};

interface DecidingRequest {
  caller: KeyCaller | SessionCaller;
  address: string;
  params: { id: string };
  body: { note: string };
}

/** Decides a request. Of concurrent decisions the first one wins, and the others get `conflict`. */
async function decide(
  context: Context,
  request: DecidingRequest,
  status: 'approved' | 'denied',
): Promise<Approval> {
  const { caller, params, body } = request;
  const decided = await withAudit(context, request, async (tx, audit) => {
    const before = await requireApproval(context, tx.db, caller.tenantId, params.id);
    if (!mayDecide(caller, JSON.parse(before.approvers) as string[]))
      throw new ApiError('missing_permission', 'you are not an approver of this request');
    const after = await storeDecision(tx, before, {
      status,
      decided_at: context.now(),
      decided_by: displayNameOf(caller),
      note: body.note,
    });
    if (!after)
      throw alreadyDecided(await requireApproval(context, tx.db, caller.tenantId, params.id));
    audit({
      action: status === 'approved' ? 'approval.approve' : 'approval.deny',
      resource_type: 'approval',
      resource_id: after.id,
      before: z.encode(approval, before),
      after: z.encode(approval, after),
    });
    return after;
  });
  context.storage.signals.publish({ tenant_id: caller.tenantId, topic: 'approvals' });
  return decided;
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

const alreadyDecided = ({ id, status, decided_by, expires_at }: Approval): ApiError =>
  new ApiError(
    'invalid_state',
    decided_by === null
      ? `approval ${id} expired at ${new Date(expires_at).toISOString()}`
      : `approval ${id} was already ${status} by ${decided_by}`,
  );
