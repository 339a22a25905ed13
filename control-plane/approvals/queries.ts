import type { ExpressionBuilder } from 'kysely';
import { MINUTE_MS } from '#lib/time-units.ts';
import type { Notify } from '../notification-event.ts';
import { approvalLock } from '../storage/locks.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';
import type { Approvals, NeededApproval, Requester } from './rules.ts';

export type Approval = Tables['approvals'];

/**
 * The longest time for which an approval is valid. Runs that it let start may continue beyond that.
 */
const LOOKBACK_MS = 7 * 24 * 60 * MINUTE_MS;

export interface ApprovalKey {
  policy_id: string;
  agent: string;
  workflow: string;
  /** The requesting instance of the agent, and the user that it works for. */
  agent_id: string | null;
  user_id: string | null;
  now: number;
}

export interface ApprovalRequest {
  tenantId: string;
  policy: { id: string; name: string };
  situation: Requester & { now: number };
  approval: NeededApproval;
  /** JSON of the masked request; null if the agent stated nothing. */
  request: string | null;
}

/**
 * Finds the approval requests of a policy for an agent's workflow, with their status; null if there
 * are none.
 */
export async function findApproval(
  tx: Tx,
  tenantId: string,
  { policy_id, agent, workflow, agent_id, user_id, now }: ApprovalKey,
): Promise<Approvals | null> {
  const rows = await tx.db
    .selectFrom('approvals')
    .select(['id', 'action_type', 'agent_id', 'user_id', 'decided_by', 'holds_until'])
    .select((eb) => statusAt(eb, now).as('status'))
    .where('tenant_id', '=', tenantId)
    .where('policy_id', '=', policy_id)
    .where('agent_name', '=', agent)
    .where('workflow_name', '=', workflow)
    .where('holds_until', '>', now - LOOKBACK_MS)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  if (rows.length === 0) return null;
  const own = rows.filter(
    (row) =>
      row.holds_until > now && row.agent_id === (agent_id ?? '') && row.user_id === (user_id ?? ''),
  );
  const approved = rows
    .filter(({ status }) => status === 'approved')
    .sort((a, b) => a.holds_until - b.holds_until);
  return {
    latest: new Map(
      own.map((row) => [
        row.action_type,
        { id: row.id, status: row.status, decidedBy: row.decided_by },
      ]),
    ),
    approvedUntil: new Map(approved.map((row) => [row.action_type, row.holds_until])),
  };
}

/**
 * Returns the status at a time. A pending request past its expiry counts as expired, which is
 * stored only when the next request is made.
 */
export const statusAt = (eb: ExpressionBuilder<Tables, 'approvals'>, now: number) =>
  eb
    .case()
    .when(eb.and([eb('status', '=', 'pending'), eb('expires_at', '<=', now)]))
    .then(eb.val<Approval['status']>('expired'))
    .else(eb.ref('status'))
    .end();

/** Creates an approval request and returns its id, or returns the id of the pending one. */
export async function requestApproval(
  tx: Tx,
  { newId, notify }: { newId: (prefix: string) => string; notify: Notify },
  request: ApprovalRequest,
): Promise<string> {
  const row = rowOf(newId('apr'), request);
  await tx.lock(approvalLock(samePendingRequest(row)));
  await tx.db
    .updateTable('approvals')
    .set({ status: 'expired' })
    .where((eb) => eb.and(samePendingRequest(row)))
    .where('expires_at', '<=', row.created_at)
    .execute();
  const existing = await tx.db
    .selectFrom('approvals')
    .select('id')
    .where((eb) => eb.and(samePendingRequest(row)))
    .executeTakeFirst();
  if (existing) return existing.id;
  await tx.db.insertInto('approvals').values(row).execute();
  await notify(tx, { event: 'approval.requested', approval: row });
  return row.id;
}

/**
 * Returns a condition for the pending request with the same subject. At most one exists.
 */
const samePendingRequest = (row: Approval) => ({
  tenant_id: row.tenant_id,
  policy_id: row.policy_id,
  agent_name: row.agent_name,
  workflow_name: row.workflow_name,
  action_type: row.action_type,
  agent_id: row.agent_id,
  user_id: row.user_id,
  status: 'pending' as const,
});

function rowOf(
  id: string,
  { tenantId, policy, situation, approval, request }: ApprovalRequest,
): Approval {
  const { now } = situation;
  const timeoutMs = approval.timeoutMinutes * MINUTE_MS;
  return {
    tenant_id: tenantId,
    id,
    policy_id: policy.id,
    policy_name: policy.name,
    agent_name: situation.agent,
    workflow_name: situation.workflow,
    action_type: approval.actionType,
    agent_id: situation.agentId ?? '',
    user_id: situation.userId ?? '',
    reason: approval.reason,
    request,
    approvers: JSON.stringify(approval.approvers),
    timeout_minutes: approval.timeoutMinutes,
    status: 'pending',
    created_at: now,
    expires_at: now + timeoutMs,
    // An expired request stays in effect as long as a decision would have.
    holds_until: now + 2 * timeoutMs,
    decided_at: null,
    decided_by: null,
    note: '',
  };
}
