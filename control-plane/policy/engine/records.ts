import type { Masker } from '../../masking/masker.ts';
import type { Storage, Trx } from '../../storage/open.ts';
import type { EvaluationTable, IncidentTable } from '../../storage/tables/governance.ts';
import type { Answer, Outcome } from '../ask.ts';
import type { Asking } from './facts.ts';
import { countAgain, findEvaluationsOfRun, insertEvaluations, raise } from './queries.ts';

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
  const rows: EvaluationTable[] = [];
  for (const [asking, { outcomes }] of answered) {
    const records = outcomes.map((outcome) =>
      recordOf(recorder, asking, masked(asking.masker, outcome)),
    );
    if (asking.situation.phase === 'mid_execution')
      rows.push(...(await withoutRepeated(trx, asking, records)));
    else rows.push(...(records.length > 0 ? records : none(recorder, asking)));
    for (const outcome of outcomes)
      if (outcome.evaluation.action === 'warn' || outcome.evaluation.action === 'block')
        await raise(trx, incidentOf(recorder, asking, masked(asking.masker, outcome)));
  }
  await insertEvaluations(recorder.storage, trx, rows);
}

/** The agent is told what a policy found; what is kept of it is masked as all that is kept. */
function masked(masker: Masker, { policy, evaluation }: Outcome): Outcome {
  const { reason, metadata } = masker.mask({
    reason: evaluation.reason,
    metadata: evaluation.metadata,
  });
  return { policy, evaluation: { ...evaluation, reason, ...(metadata && { metadata }) } };
}

type Told = Omit<EvaluationTable, 'policy_id' | 'policy_name' | 'category' | 'action' | 'reason'>;

const told = ({ newId }: Pick<Recorder, 'newId'>, { tenantId, situation }: Asking): Told => ({
  tenant_id: tenantId,
  id: newId('evl'),
  run_id: situation.run?.id ?? null,
  phase: situation.phase,
  metadata: '{}',
  agent_name: situation.agent,
  workflow_name: situation.workflow,
  evaluation_count: 1,
  created_at: situation.now,
  updated_at: situation.now,
});

export const recordOf = (
  recorder: Pick<Recorder, 'newId'>,
  asking: Asking,
  { policy, evaluation }: Outcome,
): EvaluationTable => ({
  ...told(recorder, asking),
  policy_id: policy.id,
  policy_name: policy.name,
  category: policy.category.name,
  action: evaluation.action,
  reason: evaluation.reason,
  metadata: JSON.stringify(evaluation.metadata ?? {}),
});

/** A check that no policy concerned is on record too. The other phases are nobody's question. */
const none = (recorder: Recorder, asking: Asking): EvaluationTable[] =>
  asking.situation.phase === 'before_workflow'
    ? [
        {
          ...told(recorder, asking),
          policy_id: null,
          policy_name: null,
          category: null,
          action: 'allow',
          reason: 'No policy applies',
        },
      ]
    : [];

/** Telemetry comes again and again: what a run is told again is counted where it stands. */
async function withoutRepeated(
  trx: Trx,
  { tenantId, situation }: Asking,
  records: readonly EvaluationTable[],
): Promise<EvaluationTable[]> {
  if (!situation.run || records.length === 0) return [];
  const before = await findEvaluationsOfRun(trx, tenantId, situation.run.id);
  const fresh: EvaluationTable[] = [];
  for (const record of records) {
    const { policy_id, phase, action, reason, metadata, updated_at } = record;
    const known = before.find(
      (one) => one.policy_id === policy_id && one.phase === phase && one.action === action,
    );
    if (known) await countAgain(trx, tenantId, known.id, { reason, metadata, updated_at });
    else fresh.push(record);
  }
  return fresh;
}

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
