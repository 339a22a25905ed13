import type { Tx } from '../../storage/transaction.ts';
import type { EvaluationResult, PolicyOutcome } from '../evaluate.ts';
import { requestedAction } from './requested-action.ts';
import { requestApproval } from '../../approvals/queries.ts';
import type { RecordedRequest } from './record-outcomes.ts';

type Requesting = Parameters<typeof requestApproval>[1];

/** Queues the approvals that policies require and adds each request's id to its outcome. */
export async function requestApprovals(
  tx: Tx,
  requesting: Requesting,
  request: RecordedRequest,
  answer: EvaluationResult,
): Promise<EvaluationResult> {
  if (!answer.outcomes.some(({ evaluation }) => evaluation.approval)) return answer;
  const outcomes: PolicyOutcome[] = [];
  for (const outcome of answer.outcomes)
    outcomes.push(await withRequest(tx, requesting, request, outcome));
  const at = answer.outcomes.findIndex((outcome) => outcome === answer.verdict);
  return { outcomes, verdict: outcomes[at] ?? null };
}

async function withRequest(
  tx: Tx,
  requesting: Requesting,
  { tenantId, situation, masker }: RecordedRequest,
  { policy, evaluation }: PolicyOutcome,
): Promise<PolicyOutcome> {
  if (!evaluation.approval) return { policy, evaluation };
  const approval_id = await requestApproval(tx, requesting, {
    tenantId,
    policy,
    situation,
    approval: evaluation.approval,
    request: requestedAction(situation.intent, masker),
  });
  return {
    policy,
    evaluation: { ...evaluation, metadata: { ...evaluation.metadata, approval_id } },
  };
}
