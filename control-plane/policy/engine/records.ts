import type { Masker } from '../../masking/masker.ts';
import type { Storage, Trx } from '../../storage/open.ts';
import type {
  EvaluationTable,
  IncidentTable,
  PolicyCheckTable,
} from '../../storage/tables/governance.ts';
import type { Answer, Outcome } from '../ask.ts';
import type { Asking } from './facts.ts';
import {
  countAgain,
  findEvaluationsOfRun,
  insertChecks,
  insertEvaluations,
  raise,
} from './queries.ts';

export interface Recorder {
  storage: Storage;
  newId: (prefix: string) => string;
}

/** A question, and how what is kept of its answer is masked. */
export type Recorded = Asking & { masker: Masker };

/** Every answer leaves a record; warnings and blocks leave an incident too. */
export async function recordAnswers(
  recorder: Recorder,
  trx: Trx,
  answered: readonly (readonly [Recorded, Answer])[],
): Promise<void> {
  const checks: PolicyCheckTable[] = [];
  const evaluations: EvaluationTable[] = [];
  for (const [asking, answer] of answered) {
    const outcomes = maskedOutcomes(asking.masker, answer);
    const { run } = asking.situation;
    if (run) evaluations.push(...(await freshOf(recorder, trx, { ...asking, run }, outcomes)));
    else if (asking.situation.phase === 'before_workflow')
      checks.push(checkOf(recorder, asking, outcomes));
    for (const outcome of outcomes)
      if (outcome.evaluation.action === 'warn' || outcome.evaluation.action === 'block')
        await raise(trx, incidentOf(recorder, asking, outcome));
  }
  await insertChecks(recorder.storage, trx, checks);
  await insertEvaluations(recorder.storage, trx, evaluations);
}

/** The agent is told what a policy found; what is kept of it is masked as all that is kept. */
function maskedOutcomes(masker: Masker, { outcomes }: Answer): readonly Outcome[] {
  if (!masker.active) return outcomes;
  return outcomes.map(({ policy, evaluation }) => {
    const { reason, metadata } = masker.mask({
      reason: evaluation.reason,
      metadata: evaluation.metadata,
    });
    return { policy, evaluation: { ...evaluation, reason, ...(metadata && { metadata }) } };
  });
}

/** A check that no policy concerned is on record too. */
const NONE = [[null, null, null, 'allow', 'No policy applies', {}]];

function checkOf(
  { newId }: Recorder,
  { tenantId, situation }: Asking,
  outcomes: readonly Outcome[],
): PolicyCheckTable {
  const answers = outcomes.map(({ policy, evaluation: { action, reason, metadata } }) => [
    policy.id,
    policy.name,
    policy.category.name,
    action,
    reason,
    metadata ?? {},
  ]);
  const told = answers.length > 0 ? answers : NONE;
  return {
    tenant_id: tenantId,
    id: newId('evl'),
    agent_name: situation.agent,
    workflow_name: situation.workflow,
    created_at: situation.now,
    answer_count: told.length,
    answers: JSON.stringify(told),
  };
}

/** A question about a run that is there. */
type OfRun = Asking & { run: { id: number } };

/** What a run was not told before: telemetry comes again and again, and is counted where it stands. */
async function freshOf(
  recorder: Recorder,
  trx: Trx,
  asking: OfRun,
  outcomes: readonly Outcome[],
): Promise<EvaluationTable[]> {
  const { tenantId, situation, run } = asking;
  const rows = outcomes.map((outcome) => ({
    run_id: run.id,
    ...evaluationOf(recorder, asking, outcome),
  }));
  if (situation.phase !== 'mid_execution' || rows.length === 0) return rows;
  const before = await findEvaluationsOfRun(trx, tenantId, run.id);
  const fresh: EvaluationTable[] = [];
  for (const row of rows) {
    const { policy_id, phase, action, reason, metadata, updated_at } = row;
    const known = before.find(
      (one) => one.policy_id === policy_id && one.phase === phase && one.action === action,
    );
    if (known) await countAgain(trx, tenantId, known.id, { reason, metadata, updated_at });
    else fresh.push(row);
  }
  return fresh;
}

/** What is kept of an answer about a run, but for which run. */
export const evaluationOf = (
  { newId }: Pick<Recorder, 'newId'>,
  { tenantId, situation }: Pick<Asking, 'tenantId' | 'situation'>,
  { policy, evaluation }: Outcome,
): Omit<EvaluationTable, 'run_id'> => ({
  tenant_id: tenantId,
  id: newId('evl'),
  policy_id: policy.id,
  policy_name: policy.name,
  category: policy.category.name,
  phase: situation.phase,
  action: evaluation.action,
  reason: evaluation.reason,
  metadata: JSON.stringify(evaluation.metadata ?? {}),
  agent_name: situation.agent,
  workflow_name: situation.workflow,
  evaluation_count: 1,
  created_at: situation.now,
  updated_at: situation.now,
});

const incidentOf = (
  { newId }: Recorder,
  { tenantId, situation }: Asking,
  { policy, evaluation }: Outcome,
): IncidentTable => ({
  tenant_id: tenantId,
  id: newId('inc'),
  run_id: situation.run?.id ?? null,
  policy_id: policy.id,
  policy_name: policy.name,
  category: policy.category.name,
  action: evaluation.action,
  reason: evaluation.reason,
  metadata: JSON.stringify(evaluation.metadata ?? {}),
  agent_name: situation.agent,
  workflow_name: situation.workflow,
  status: 'open',
  note: '',
  occurrences: 1,
  created_at: situation.now,
  updated_at: situation.now,
});
