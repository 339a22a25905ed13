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
import { countRepeat, findEvaluationsOfRun, insertEvaluations, raise } from './engine-queries.ts';

export interface Recorder {
  storage: Storage;
  newId: (prefix: string) => string;
  policySets: PolicySetsInTransaction;
}

/** A request, and the masker for its record. */
export type RecordedRequest = EvaluationRequest & { masker: Masker };

/**
 * Records every outcome; warnings and blocks also raise incidents. Returns the checks, which the
 * caller has yet to store.
 */
export async function recordAnswers(
  recorder: Recorder,
  trx: Trx,
  answered: readonly (readonly [RecordedRequest, EvaluationResult])[],
): Promise<PolicyCheckTable[]> {
  const checks: PolicyCheckTable[] = [];
  const evaluations: EvaluationTable[] = [];
  const masked = answered.map(
    ([request, answer]) => [request, maskedOutcomes(request.masker, answer)] as const,
  );
  await lockRecords(recorder.storage, trx, masked);
  for (const [request, outcomes] of masked) {
    const { run } = request.situation;
    if (run) await recordOnRun(recorder, trx, { ...request, run }, outcomes, evaluations);
    else if (request.situation.phase === 'before_workflow')
      checks.push(checkOf(recorder, request, outcomes));
    for (const outcome of outcomes)
      if (isIncident(outcome)) await raise(trx, incidentOf(recorder, request, outcome));
  }
  await recorder.policySets.store(recorder.storage, trx);
  await insertEvaluations(recorder.storage, trx, evaluations);
  return checks;
}

const isIncident = ({ evaluation: { action } }: Outcome): boolean =>
  action === 'warn' || action === 'block';

/**
 * Locks the rows that are counted in place: without the lock, two processes that find no row would
 * each insert one. All locks are acquired at once, so that transactions cannot deadlock.
 */
async function lockRecords(
  storage: Storage,
  trx: Trx,
  masked: readonly (readonly [RecordedRequest, readonly Outcome[]])[],
): Promise<void> {
  const names = masked.flatMap(([{ tenantId, situation }, outcomes]) => [
    ...(situation.run && outcomes.length > 0
      ? [`evaluations ${tenantId} ${situation.run.id}`]
      : []),
    ...outcomes
      .filter(isIncident)
      .map(({ policy }) => `incident ${tenantId} ${policy.id} ${situation.agent}`),
  ]);
  if (names.length > 0) await storage.lock(trx, ...new Set(names));
}

/** The agent gets the outcomes unmasked; what is recorded is masked like all stored data. */
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

/** Recorded for a check that no policy applies to. */
const NONE = [['allow', 'No policy applies']];

function checkOf(
  { newId, policySets }: Recorder,
  request: EvaluationRequest,
  outcomes: readonly Outcome[],
): PolicyCheckTable {
  const { tenantId, situation } = request;
  const answers = outcomes.map(({ evaluation: { action, reason, metadata } }) =>
    metadata ? [action, reason, metadata] : [action, reason],
  );
  const recorded = answers.length > 0 ? answers : NONE;
  return {
    tenant_id: tenantId,
    id: newId('evl'),
    agent_name: situation.agent,
    workflow_name: situation.workflow,
    created_at: situation.now,
    answer_count: recorded.length,
    asked: policySets.keyOf(request, outcomes),
    answers: JSON.stringify(recorded),
  };
}

/** A request about an existing run. */
type OfRun = EvaluationRequest & { run: { id: number } };

/**
 * Adds new evaluations of a run to `fresh`. Telemetry arrives repeatedly, so an evaluation that
 * repeats an earlier one is counted on its row.
 */
async function recordOnRun(
  recorder: Recorder,
  trx: Trx,
  request: OfRun,
  outcomes: readonly Outcome[],
  fresh: EvaluationTable[],
): Promise<void> {
  const { tenantId, situation, run } = request;
  const rows = outcomes.map((outcome) => ({
    run_id: run.id,
    ...evaluationOf(recorder, request, outcome),
  }));
  if (situation.phase !== 'mid_execution' || rows.length === 0) return void fresh.push(...rows);
  const before = await findEvaluationsOfRun(trx, tenantId, run.id);
  for (const row of rows) {
    const { policy_id, phase, action, reason, metadata, updated_at } = row;
    const isSame = (one: Pick<EvaluationTable, 'policy_id' | 'phase' | 'action'>): boolean =>
      one.policy_id === policy_id && one.phase === phase && one.action === action;
    const existing = before.find(isSame);
    const pending = fresh.find((one) => one.run_id === run.id && isSame(one));
    if (existing) await countRepeat(trx, tenantId, existing.id, { reason, metadata, updated_at });
    else if (pending)
      Object.assign(pending, {
        reason,
        metadata,
        updated_at,
        evaluation_count: pending.evaluation_count + 1,
      });
    else fresh.push(row);
  }
}

/** The evaluation row of an outcome, without the run's id. */
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
