import { roles } from '#contract/route.ts';
import type { KeyCaller, SessionCaller } from '../http/caller.ts';
import { isSubUser } from '../identity/is-sub-user.ts';

/** The state of an approval request. */
export interface ApprovalFacts {
  id: string;
  status: 'pending' | 'approved' | 'denied' | 'expired';
  decidedBy: string | null;
}

/** The approval state by subject, which is an action, a workflow or a tool. */
export interface Approvals {
  /** The latest request by this instance of the agent and user. */
  latest: ReadonlyMap<string, ApprovalFacts>;
  /** When the approval ends, for any requester. */
  approvedUntil: ReadonlyMap<string, number>;
}

/** The agent, its instance and the user that request an approval. */
export interface Requester {
  agent: string;
  workflow: string;
  agentId: string | null;
  userId: string | null;
}

/** An approval that must be requested. */
export interface NeededApproval {
  actionType: string;
  /** The reason that approvers see. */
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
  /** The new state, which is stored only if no policy refuses. */
  state?: UsedApproval;
  /** The approval that must be requested. */
  approval?: NeededApproval;
}

/** Something for which an agent needs an approval. */
export interface RequiredApproval {
  /** The subject of the approval, which covers every need with the same subject. */
  actionType: string;
  /** The subject as the start of a sentence, such as `Workflow 'deploy'`. */
  what: string;
}

export interface ApprovalTerms {
  approvers: readonly string[];
  timeoutMinutes: number;
  onTimeout: 'block' | 'warn';
}

/** The ids of approvals that already let a run start, because each start needs its own approval. */
export interface UsedApproval {
  used: readonly string[];
}

/** Returns the key under which used approvals are stored: agent, workflow, instance and user. */
export const requesterKey = ({ agent, workflow, agentId, userId }: Requester): string =>
  JSON.stringify([agent, workflow, agentId, userId]);

/**
 * Decides whether a run with these needs may start, which uses up the approvals. It does not wait
 * for decisions: a refused start ends here, and the caller checks again.
 */
export function evaluateBeforeStart(
  needs: readonly RequiredApproval[],
  terms: ApprovalTerms,
  approvals: Approvals | null,
  { used }: UsedApproval = { used: [] },
): ApprovalEvaluation {
  const latest = approvals?.latest ?? new Map<string, ApprovalFacts>();
  const isUnused = ({ id }: ApprovalFacts): boolean => !used.includes(id);
  const requests = needs.map((need) => ({ need, approval: latest.get(need.actionType) }));
  for (const { need, approval } of requests)
    if (!approval || !isUnused(approval) || !allowsStart(approval, terms))
      return refusal(need, terms, approval && isUnused(approval) ? approval : undefined);
  const passes = requests.flatMap(({ approval }) => approval ?? []);
  // An id that is no longer the latest request of any need cannot be used again, so it is dropped.
  const stillLatest = used.filter((id) =>
    [...latest.values()].some((approval) => approval.id === id),
  );
  return {
    ...passedEvaluation(needs, passes),
    state: { used: [...stillLatest, ...passes.map(({ id }) => id)] },
  };
}

/**
 * Decides whether a run with these needs may continue. They are covered by approvals that were
 * valid at any time since its start.
 */
export function evaluateDuringRun(
  needs: readonly RequiredApproval[],
  terms: ApprovalTerms,
  approvals: Approvals | null,
  startedAt: number,
): ApprovalEvaluation | null {
  const open = unapprovedNeeds(needs, approvals, startedAt);
  if (open.length === 0) return null;
  const requests = open.map((need) => ({ need, approval: approvals?.latest.get(need.actionType) }));
  for (const { need, approval } of requests)
    if (!approval || !allowsStart(approval, terms)) return refusal(need, terms, approval);
  return passedEvaluation(
    open,
    requests.flatMap(({ approval }) => approval ?? []),
  );
}

/** Returns the needs of a run that were never approved. */
export const unapprovedNeeds = (
  needs: readonly RequiredApproval[],
  approvals: Approvals | null,
  startedAt: number,
): RequiredApproval[] =>
  needs.filter(
    ({ actionType }) => (approvals?.approvedUntil.get(actionType) ?? -Infinity) < startedAt,
  );

const allowsStart = ({ status }: ApprovalFacts, { onTimeout }: ApprovalTerms): boolean =>
  status === 'approved' || (status === 'expired' && onTimeout === 'warn');

function passedEvaluation(
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
  terms: ApprovalTerms,
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
 * Whether the caller may decide. The approvers that the policy names may, and so may owners; if
 * none are named, every administrator may. The id and email of a sub-user come from the issuer of
 * the token, so they never match a named approver.
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
