import type { Storage, Trx } from '../../storage/open.ts';
import type { EvaluationResult, Outcome } from '../evaluate.ts';
import { requestApproval } from '../approvals/approval-queries.ts';
import type { EvaluationRequest } from './evaluation-request.ts';

/** Queues the approvals that policies require and adds each request's id to its outcome. */
export async function settleApprovals(
  storage: Storage,
  trx: Trx,
  request: EvaluationRequest,
  answer: EvaluationResult,
): Promise<EvaluationResult> {
  if (!answer.outcomes.some(({ evaluation }) => evaluation.approval)) return answer;
  const outcomes: Outcome[] = [];
  for (const outcome of answer.outcomes)
    outcomes.push(await withRequest(storage, trx, request, outcome));
  const at = answer.outcomes.findIndex((outcome) => outcome === answer.verdict);
  return { outcomes, verdict: outcomes[at] ?? null };
}

async function withRequest(
  storage: Storage,
  trx: Trx,
  { tenantId, situation }: EvaluationRequest,
  { policy, evaluation }: Outcome,
): Promise<Outcome> {
  if (!evaluation.approval) return { policy, evaluation };
  const approval_id = await requestApproval(trx, storage, {
    tenantId,
    policy,
    situation,
    approval: evaluation.approval,
  });
  return {
    policy,
    evaluation: { ...evaluation, metadata: { ...evaluation.metadata, approval_id } },
  };
}
