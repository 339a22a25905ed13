import { roles } from '#contract/route.ts';
import type { KeyCaller, SessionCaller } from '../../http/caller.ts';
import { isSubUser } from '../../identity/is-sub-user.ts';
import type { ApprovalFacts, Approvals, Evaluation, Situation } from '../category.ts';

/** Something for which an agent needs to be approved. */
export interface Need {
  /** What is approved: an approval of it holds whenever it is needed. */
  actionType: string;
  /** As it begins a sentence: `Workflow 'deploy'`. */
  what: string;
}

export interface Terms {
  approvers: readonly string[];
  timeoutMinutes: number;
  onTimeout: 'block' | 'warn';
}

/** Ids of approvals that have let a start through; another start needs another one. */
export interface UsedApproval {
  used: readonly string[];
}

/** Of whom it is remembered what they used. */
export const askerOf = ({ agent, workflow, agentId, userId }: Situation): string =>
  JSON.stringify([agent, workflow, agentId, userId]);

/** May a start take place that needs these? What is approved is then used. */
export function beforeStart(
  needs: readonly Need[],
  terms: Terms,
  approvals: Approvals | null,
  { used }: UsedApproval = { used: [] },
): Evaluation<UsedApproval> {
  const latest = approvals?.latest ?? new Map<string, ApprovalFacts>();
  const isUnused = ({ id }: ApprovalFacts): boolean => !used.includes(id);
  const found = needs.map((need) => ({ need, approval: latest.get(need.actionType) }));
  for (const { need, approval } of found)
    if (!approval || !isUnused(approval) || !letsThrough(approval, terms))
      return refusal(need, terms, approval && isUnused(approval) ? approval : undefined);
  const passes = found.flatMap(({ approval }) => approval ?? []);
  // What is no longer the latest request of anything will never be asked about again.
  const kept = used.filter((id) => [...latest.values()].some((approval) => approval.id === id));
  return {
    ...passage(needs, passes),
    state: { used: [...kept, ...passes.map(({ id }) => id)] },
  };
}

/** May a run go on that does these? What was approved at any time while it ran covers them. */
export function duringRun(
  needs: readonly Need[],
  terms: Terms,
  approvals: Approvals | null,
  startedAt: number,
): Evaluation<UsedApproval> | null {
  const open = uncovered(needs, approvals, startedAt);
  if (open.length === 0) return null;
  const asked = open.map((need) => ({ need, approval: approvals?.latest.get(need.actionType) }));
  for (const { need, approval } of asked)
    if (!approval || !letsThrough(approval, terms)) return refusal(need, terms, approval);
  return passage(
    open,
    asked.flatMap(({ approval }) => approval ?? []),
  );
}

/** What a run needed and was never approved. */
export const uncovered = (
  needs: readonly Need[],
  approvals: Approvals | null,
  startedAt: number,
): Need[] =>
  needs.filter(
    ({ actionType }) => (approvals?.approvedUntil.get(actionType) ?? -Infinity) < startedAt,
  );

const letsThrough = ({ status }: ApprovalFacts, { onTimeout }: Terms): boolean =>
  status === 'approved' || (status === 'expired' && onTimeout === 'warn');

function passage(
  needs: readonly Need[],
  passes: readonly ApprovalFacts[],
): Evaluation<UsedApproval> {
  const what = needs.map((need) => need.what).join(', ');
  const metadata = {
    action_type: needs.map(({ actionType }) => actionType).join(', '),
    approval_id: passes.map(({ id }) => id).join(', '),
    approved_by: passes.flatMap(({ decidedBy }) => decidedBy ?? []).join(', '),
  };
  return passes.every(({ status }) => status === 'approved')
    ? { action: 'allow', reason: `${what} approved by ${metadata.approved_by}`, metadata }
    : { action: 'warn', reason: `${what} without approval: nobody decided in time`, metadata };
}

function refusal(
  need: Need,
  terms: Terms,
  approval: ApprovalFacts | undefined,
): Evaluation<UsedApproval> {
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
        metadata: { ...metadata, approval_id: approval.id },
      };
    default:
      return {
        action: 'block',
        reason: approval ? `${reason}: nobody decided on the last request in time` : reason,
        metadata,
        approval: { actionType, reason, approvers, timeoutMinutes },
      };
  }
}

/**
 * Those whom the policy names, and owners; where it names nobody, every administrator. A sub-user's
 * id and email are whatever the issuer of the token says: neither makes one of those who are named.
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
