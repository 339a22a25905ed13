import type { Storage, Trx } from '../../storage/open.ts';
import type { EvaluationResult, Outcome } from '../evaluate.ts';
import { requestApproval } from '../approvals/approval-queries.ts';
import type { EvaluationRequest } from './evaluation-request.ts';

/** Puts what policies want approved into the queue; the answer then says under which id. */
export async function settleApprovals(
  storage: Storage,
  trx: Trx,
  asking: EvaluationRequest,
  answer: EvaluationResult,
): Promise<EvaluationResult> {
  if (!answer.outcomes.some(({ evaluation }) => evaluation.approval)) return answer;
  const outcomes: Outcome[] = [];
  for (const outcome of answer.outcomes)
    outcomes.push(await withRequest(storage, trx, asking, outcome));
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
