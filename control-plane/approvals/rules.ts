import { roles } from '#contract/route.ts';
import type { KeyCaller, SessionCaller } from '../http/caller.ts';
import { isSubUser } from '../identity/is-sub-user.ts';

/** The state of an approval request. */
export interface ApprovalFacts {
  id: string;
  status: 'pending' | 'approved' | 'denied' | 'expired';
  decidedBy: string | null;
}

/** Keyed by the subject of the approval: an action, a workflow or a tool. */
export interface Approvals {
  /** The latest request by this agent instance and user. */
  latest: ReadonlyMap<string, ApprovalFacts>;
  /** The time at which the approval ends, for any requester. */
  approvedUntil: ReadonlyMap<string, number>;
}

/** The agent, its instance and the user that request an approval. */
export interface Requester {
  agent: string;
  workflow: string;
  agentId: string | null;
  userId: string | null;
}

/** An approval to request. */
export interface NeededApproval {
  actionType: string;
  /** Shown to the approvers. */
  reason: string;
  approvers: readonly string[];
  timeoutMinutes: number;
}

/** The result of a policy that requires approvals. */
export interface ApprovalEvaluation {
  action: 'allow' | 'warn' | 'block';
  /** One line. */
  reason: string;
  metadata: Readonly<Record<string, unknown>>;
  /** The new state; stored only if no policy refuses. */
  state?: UsedApproval;
  /** Requests an approval. */
  approval?: NeededApproval;
}

/** Something an agent must have approved. */
export interface RequiredApproval {
  /** The subject of the approval, which covers every need with the same one. */
  actionType: string;
  /** The start of a sentence: `Workflow 'deploy'`. */
  what: string;
}

export interface Terms {
  approvers: readonly string[];
  timeoutMinutes: number;
  onTimeout: 'block' | 'warn';
}

/** Ids of approvals that already let a run start: each start needs its own approval. */
export interface UsedApproval {
  used: readonly string[];
}

/** The key under which used approvals are stored: per agent, workflow, instance and user. */
export const requesterKey = ({ agent, workflow, agentId, userId }: Requester): string =>
  JSON.stringify([agent, workflow, agentId, userId]);

/**
 * Decides whether a run with these needs may start. The approvals it relies on are then used up.
 * Nothing waits for a decision: a refused start ends here, and the caller checks again.
 */
export function evaluateBeforeStart(
  needs: readonly RequiredApproval[],
  terms: Terms,
  approvals: Approvals | null,
  { used }: UsedApproval = { used: [] },
): ApprovalEvaluation {
  const latest = approvals?.latest ?? new Map<string, ApprovalFacts>();
  const isUnused = ({ id }: ApprovalFacts): boolean => !used.includes(id);
  const requests = needs.map((need) => ({ need, approval: latest.get(need.actionType) }));
  for (const { need, approval } of requests)
    if (!approval || !isUnused(approval) || !letsThrough(approval, terms))
      return refusal(need, terms, approval && isUnused(approval) ? approval : undefined);
  const passes = requests.flatMap(({ approval }) => approval ?? []);
  // An id that is no longer the latest request of any need cannot be used again: drop it.
  const stillLatest = used.filter((id) =>
    [...latest.values()].some((approval) => approval.id === id),
  );
  return {
    ...passage(needs, passes),
    state: { used: [...stillLatest, ...passes.map(({ id }) => id)] },
  };
}

/**
 * Decides whether a run with these needs may continue. Approvals valid at any time since its start
 * cover it.
 */
export function evaluateDuringRun(
  needs: readonly RequiredApproval[],
  terms: Terms,
  approvals: Approvals | null,
  startedAt: number,
): ApprovalEvaluation | null {
  const open = unapprovedOf(needs, approvals, startedAt);
  if (open.length === 0) return null;
  const requests = open.map((need) => ({ need, approval: approvals?.latest.get(need.actionType) }));
  for (const { need, approval } of requests)
    if (!approval || !letsThrough(approval, terms)) return refusal(need, terms, approval);
  return passage(
    open,
    requests.flatMap(({ approval }) => approval ?? []),
  );
}

/** The needs of a run that were never approved. */
export const unapprovedOf = (
  needs: readonly RequiredApproval[],
  approvals: Approvals | null,
  startedAt: number,
): RequiredApproval[] =>
  needs.filter(
    ({ actionType }) => (approvals?.approvedUntil.get(actionType) ?? -Infinity) < startedAt,
  );

const letsThrough = ({ status }: ApprovalFacts, { onTimeout }: Terms): boolean =>
  status === 'approved' || (status === 'expired' && onTimeout === 'warn');

function passage(
  needs: readonly RequiredApproval[],
  passes: readonly ApprovalFacts[],
): ApprovalEvaluation {
  const what = needs.map((need) => need.what).join(', ');
  const metadata = {
    action_type: needs.map(({ actionType }) => actionType).join(', '),
    approval_id: passes.map(({ id }) => id).join(', '),
    approved_by: passes.flatMap(({ decidedBy }) => decidedBy ?? []).join(', '),
  };
  return passes.every(({ status }) => status === 'approved')
    ? { action: 'allow', reason: `${what} approved by ${metadata.approved_by}`, metadata }
    : { action: 'warn', reason: `${what} without approval: no decision in time`, metadata };
}

function refusal(
  need: RequiredApproval,
  terms: Terms,
  approval: ApprovalFacts | undefined,
): ApprovalEvaluation {
  const { approvers, timeoutMinutes } = terms;
  const { actionType, what } = need;
  const metadata = { approvers, timeout: timeoutMinutes, action_type: actionType };
  const reason = `${what} requires approval before execution`;
  switch (approval?.status) {
    case 'pending':
      return { action: 'block', reason, metadata: { ...metadata, approval_id: approval.id } };
    case 'denied':
      return {
        action: 'block',
        reason: `${what} was denied approval by ${approval.decidedBy}`,
        metadata: { ...metadata, approval_id: approval.id, denied_by: approval.decidedBy },
      };
    default:
      return {
        action: 'block',
        reason: approval ? `${reason}: the last request expired without a decision` : reason,
        metadata,
        approval: { actionType, reason, approvers, timeoutMinutes },
      };
  }
}

/**
 * The approvers named by the policy, and owners; if none are named, every administrator. A
 * sub-user's id and email come from the token issuer, so they never match a named approver.
 */
export function mayDecide(
  caller: KeyCaller | SessionCaller,
  approvers: readonly string[],
): boolean {
  const isNamed = (name: string): boolean =>
    !isSubUser(caller) &&
    approvers.some((approver) => approver.toLowerCase() === name.toLowerCase());
  if (!('userId' in caller)) return approvers.length === 0 || isNamed(caller.keyId);
  if (caller.role === 'owner' || isNamed(caller.email) || isNamed(caller.userId)) return true;
  return approvers.length === 0 && roles.indexOf(caller.role) >= roles.indexOf('admin');
}
