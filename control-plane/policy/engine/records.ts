import type { Masker } from '../../masking/masker.ts';
import type { Storage, Trx } from '../../storage/open.ts';
import type {
  EvaluationTable,
  IncidentTable,
  PolicyCheckTable,
} from '../../storage/tables/governance.ts';
import type { EvaluationResult, Outcome } from '../evaluate.ts';
import type { PolicySetsInTransaction } from './policy-sets.ts';
import type { EvaluationRequest } from './evaluation-request.ts';
import { countAgain, findEvaluationsOfRun, insertEvaluations, raise } from './engine-queries.ts';

export interface Recorder {
  storage: Storage;
  newId: (prefix: string) => string;
  asked: PolicySetsInTransaction;
}

/** A question, and how what is kept of its answer is masked. */
export type RecordedRequest = EvaluationRequest & { masker: Masker };

/**
 * Every answer leaves a record; warnings and blocks leave an incident too. Answers what is still to
 * be stored: the checks.
 */
export async function recordAnswers(
  recorder: Recorder,
  trx: Trx,
  answered: readonly (readonly [RecordedRequest, EvaluationResult])[],
): Promise<PolicyCheckTable[]> {
  const checks: PolicyCheckTable[] = [];
  const evaluations: EvaluationTable[] = [];
  const told = answered.map(
    ([asking, answer]) => [asking, maskedOutcomes(asking.masker, answer)] as const,
  );
  await lockRecords(recorder.storage, trx, told);
  for (const [asking, outcomes] of told) {
    const { run } = asking.situation;
    if (run) await markRun(recorder, trx, { ...asking, run }, outcomes, evaluations);
    else if (asking.situation.phase === 'before_workflow')
      checks.push(checkOf(recorder, asking, outcomes));
    for (const outcome of outcomes)
      if (isIncident(outcome)) await raise(trx, incidentOf(recorder, asking, outcome));
  }
  await recorder.asked.store(recorder.storage, trx);
  await insertEvaluations(recorder.storage, trx, evaluations);
  return checks;
}

const isIncident = ({ evaluation: { action } }: Outcome): boolean =>
  action === 'warn' || action === 'block';

/**
 * What is counted where it stands is first looked for: two processes that find nothing would both
 * make one. All locks are taken at once, so that nobody waits in a circle.
 */
async function lockRecords(
  storage: Storage,
  trx: Trx,
  told: readonly (readonly [RecordedRequest, readonly Outcome[]])[],
): Promise<void> {
  const names = told.flatMap(([{ tenantId, situation }, outcomes]) => [
    ...(situation.run && outcomes.length > 0 ? [`told ${tenantId} ${situation.run.id}`] : []),
    ...outcomes
      .filter(isIncident)
      .map(({ policy }) => `incident ${tenantId} ${policy.id} ${situation.agent}`),
  ]);
  if (names.length > 0) await storage.lock(trx, ...new Set(names));
}

/** The agent is told what a policy found; what is kept of it is masked as all that is kept. */
function maskedOutcomes(masker: Masker, { outcomes }: EvaluationResult): readonly Outcome[] {
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
const NONE = [['allow', 'No policy applies']];

function checkOf(
  { newId, asked }: Recorder,
  asking: EvaluationRequest,
  outcomes: readonly Outcome[],
): PolicyCheckTable {
  const { tenantId, situation } = asking;
  const answers = outcomes.map(({ evaluation: { action, reason, metadata } }) =>
    metadata ? [action, reason, metadata] : [action, reason],
  );
  const told = answers.length > 0 ? answers : NONE;
  return {
    tenant_id: tenantId,
    id: newId('evl'),
    agent_name: situation.agent,
    workflow_name: situation.workflow,
    created_at: situation.now,
    answer_count: told.length,
    asked: asked.keyOf(asking, outcomes),
    answers: JSON.stringify(told),
  };
}

/** A question about a run that is there. */
type OfRun = EvaluationRequest & { run: { id: number } };

/**
 * What a run was not told before is put with `fresh`: telemetry comes again and again, and what it is
 * told again is counted where it stands.
 */
async function markRun(
  recorder: Recorder,
  trx: Trx,
  asking: OfRun,
  outcomes: readonly Outcome[],
  fresh: EvaluationTable[],
): Promise<void> {
  const { tenantId, situation, run } = asking;
  const rows = outcomes.map((outcome) => ({
    run_id: run.id,
    ...evaluationOf(recorder, asking, outcome),
  }));
  if (situation.phase !== 'mid_execution' || rows.length === 0) return void fresh.push(...rows);
  const before = await findEvaluationsOfRun(trx, tenantId, run.id);
  for (const row of rows) {
    const { policy_id, phase, action, reason, metadata, updated_at } = row;
    const isSame = (one: Pick<EvaluationTable, 'policy_id' | 'phase' | 'action'>): boolean =>
      one.policy_id === policy_id && one.phase === phase && one.action === action;
    const known = before.find(isSame);
    const waiting = fresh.find((one) => one.run_id === run.id && isSame(one));
    if (known) await countAgain(trx, tenantId, known.id, { reason, metadata, updated_at });
    else if (waiting)
      Object.assign(waiting, {
        reason,
        metadata,
        updated_at,
        evaluation_count: waiting.evaluation_count + 1,
      });
    else fresh.push(row);
  }
}

/** What is kept of an answer about a run, but for which run. */
export const evaluationOf = (
  { newId }: Pick<Recorder, 'newId'>,
  { tenantId, situation }: Pick<EvaluationRequest, 'tenantId' | 'situation'>,
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
  { tenantId, situation }: EvaluationRequest,
  { policy, evaluation }: Outcome,
): IncidentTable => ({
  tenant_id: tenantId,
  id: newId('inc'),
  source: 'policy',
  run_id: situation.run?.id ?? null,
  policy_id: policy.id,
  policy_name: policy.name,
  category: policy.category.name,
  action: evaluation.action,
  reason: evaluation.reason,
  metadata: JSON.stringify(evaluation.metadata ?? {}),
  agent_name: situation.agent,
  workflow_name: situation.workflow,
  device_id: null,
  hostname: null,
  app_group_id: null,
  app_name: null,
  holds: 0,
  status: 'open',
  note: '',
  occurrences: 1,
  created_at: situation.now,
  updated_at: situation.now,
});
