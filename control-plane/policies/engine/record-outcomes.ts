import type { Masker } from '../../settings/masking/masker.ts';
import type { Notify } from '../../notification-event.ts';
import { evaluationsLock, incidentsLock } from '../../storage/locks.ts';
import type { EvaluationTable, PolicyCheckTable } from '../../storage/tables/governance.ts';
import type { Tx } from '../../storage/transaction.ts';
import type { EvaluationResult, PolicyOutcome } from '../evaluate.ts';
import type { PolicySetsInTransaction } from './policy-sets.ts';
import type { EvaluationRequest } from './evaluation-request.ts';
import { countRepeat, findEvaluationsOfRun, insertEvaluations } from './engine-queries.ts';
import { openIncident } from './open-incident.ts';

export interface EvaluationRecorder {
  newId: (prefix: string) => string;
  notify: Notify;
  policySets: PolicySetsInTransaction;
}

/** A request, and the masker for its record. */
export type RecordedRequest = EvaluationRequest & { masker: Masker };

/** The outcomes of a request as they are recorded, and those that open incidents. */
interface Masked {
  request: RecordedRequest;
  outcomes: readonly PolicyOutcome[];
  incidents: readonly PolicyOutcome[];
}

/**
 * Records every outcome; warnings and blocks also open incidents. Returns the checks, which the
 * caller has yet to store.
 */
export async function recordOutcomes(
  tx: Tx,
  recorder: EvaluationRecorder,
  answered: readonly (readonly [RecordedRequest, EvaluationResult])[],
): Promise<PolicyCheckTable[]> {
  const checks: PolicyCheckTable[] = [];
  const evaluations: EvaluationTable[] = [];
  const masked = answered.map(([request, answer]): Masked => {
    const outcomes = maskedOutcomes(request.masker, answer);
    return { request, outcomes, incidents: outcomes.filter(opensIncident) };
  });
  await lockRecords(tx, masked);
  for (const { request, outcomes, incidents } of masked) {
    const { run } = request.situation;
    if (run) await recordOnRun(tx, recorder, { ...request, run }, outcomes, evaluations);
    else if (request.situation.phase === 'before_workflow')
      checks.push(checkOf(recorder, request, outcomes));
    for (const outcome of incidents) await openIncident(tx, recorder, request, outcome);
  }
  await recorder.policySets.store(tx);
  await insertEvaluations(tx, evaluations);
  return checks;
}

const opensIncident = ({ evaluation: { action } }: PolicyOutcome): boolean =>
  action === 'warn' || action === 'block';

/**
 * Locks the rows whose counters are updated in place: without the lock, two processes that find no
 * row would each insert one. All locks are acquired at once, so that transactions cannot deadlock.
 */
async function lockRecords(tx: Tx, masked: readonly Masked[]): Promise<void> {
  const names = masked.flatMap(({ request: { tenantId, situation }, outcomes, incidents }) => [
    ...(situation.run && outcomes.length > 0 ? [evaluationsLock(tenantId, situation.run.id)] : []),
    ...incidents.map(({ policy }) => incidentsLock(tenantId, policy.id, situation.agent)),
  ]);
  if (names.length > 0) await tx.lock(...new Set(names));
}

/**
 * Returns the outcomes as they are recorded, which are masked like all stored data. The agent gets
 * them unmasked.
 */
function maskedOutcomes(masker: Masker, { outcomes }: EvaluationResult): readonly PolicyOutcome[] {
  if (!masker.active) return outcomes;
  return outcomes.map(({ policy, evaluation }) => {
    const { reason, metadata } = masker.mask({
      reason: evaluation.reason,
      metadata: evaluation.metadata,
    });
    return { policy, evaluation: { ...evaluation, reason, ...(metadata && { metadata }) } };
  });
}

/** The outcome that is recorded for a check to which no policy applies. */
const NONE = [['allow', 'No policy applies']];

function checkOf(
  { newId, policySets }: EvaluationRecorder,
  request: EvaluationRequest,
  outcomes: readonly PolicyOutcome[],
): PolicyCheckTable {
  const { tenantId, situation } = request;
  const results = outcomes.map(({ evaluation: { action, reason, metadata } }) =>
    metadata ? [action, reason, metadata] : [action, reason],
  );
  const recorded = results.length > 0 ? results : NONE;
  return {
    tenant_id: tenantId,
    id: newId('evl'),
    agent_name: situation.agent,
    workflow_name: situation.workflow,
    created_at: situation.now,
    outcome_count: recorded.length,
    policy_set_key: policySets.keyOf(request, outcomes),
    outcomes: JSON.stringify(recorded),
  };
}

/** A request about an existing run. */
type OfRun = EvaluationRequest & { run: { id: number } };

/**
 * Adds new evaluations of a run to `fresh`. Telemetry arrives repeatedly, so an evaluation that
 * repeats an earlier one is counted on that row.
 */
async function recordOnRun(
  tx: Tx,
  recorder: EvaluationRecorder,
  request: OfRun,
  outcomes: readonly PolicyOutcome[],
  fresh: EvaluationTable[],
): Promise<void> {
  const { tenantId, situation, run } = request;
  const rows = outcomes.map((outcome) => ({
    run_id: run.id,
    ...evaluationOf(recorder, request, outcome),
  }));
  if (situation.phase !== 'mid_execution' || rows.length === 0) return void fresh.push(...rows);
  const before = await findEvaluationsOfRun(tx.db, tenantId, run.id);
  for (const row of rows) {
    const { policy_id, phase, action, reason, metadata, updated_at } = row;
    const isSame = (one: Pick<EvaluationTable, 'policy_id' | 'phase' | 'action'>): boolean =>
      one.policy_id === policy_id && one.phase === phase && one.action === action;
    const existing = before.find(isSame);
    const pending = fresh.find((one) => one.run_id === run.id && isSame(one));
    if (existing) await countRepeat(tx, tenantId, existing.id, { reason, metadata, updated_at });
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

/** Returns the evaluation row of an outcome, without the id of the run. */
export const evaluationOf = (
  { newId }: Pick<EvaluationRecorder, 'newId'>,
  { tenantId, situation }: Pick<EvaluationRequest, 'tenantId' | 'situation'>,
  { policy, evaluation }: PolicyOutcome,
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
