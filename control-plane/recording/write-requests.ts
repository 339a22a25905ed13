import { ApiError } from '#contract/errors.ts';
import type { Rows } from '../storage/bulk.ts';
import type { Storage } from '../storage/open.ts';
import type { Tx } from '../storage/transaction.ts';
import { tenantsWithQuotas } from '../tenants/quotas.ts';
import type { LimitsOf } from '../tenants/tenant-limits.ts';
import type { RunRef } from '../usage/count.ts';
import { batchKey, findBatches, type Recorded, type StartedRun } from './batch-queries.ts';
import {
  completeRun,
  findRuns,
  type NewCall,
  type NewEvaluation,
  type NewRun,
  type Recording,
  type RunEnd,
  startRuns,
  type Telemetry,
} from './queries.ts';
import { addTelemetry, type OnRun } from './telemetry-queries.ts';
import { recordIn } from './recording-transaction.ts';
import { replaceCaptured, type RecordedCall } from './same-call-queries.ts';

export type BatchId = string | null | undefined;

export interface Target {
  tenantId: string;
  runId: number;
  /** Milliseconds since 1970. */
  at: number;
}

/** One recording request. */
export type RecordingRequest = { tenantId: string; batch: BatchId; items: number } & (
  | { kind: 'start'; run: NewRun; evaluations: readonly NewEvaluation[] }
  | { kind: 'add'; to: Target; telemetry: Telemetry }
  | { kind: 'complete'; to: Target; end: RunEnd; telemetry: Telemetry }
  | { kind: 'events'; events: Rows<'events'> }
);
type WorkOf<K extends RecordingRequest['kind']> = Extract<RecordingRequest, { kind: K }>;

/** The result of one request, or the reason of its refusal. */
export type RecordingOutcome = { value: unknown } | { error: ApiError };

/**
 * Writes all requests in one transaction. A refused request writes nothing and does not affect the
 * others.
 */
export async function write(
  storage: Storage,
  limitsOf: LimitsOf,
  works: readonly RecordingRequest[],
  now: number,
): Promise<{ outcomes: RecordingOutcome[]; runs: RunRef[] }> {
  const tenants = await tenantsWithQuotas(
    limitsOf,
    works.map(({ tenantId }) => tenantId),
  );
  return storage.transaction((tx) =>
    recordIn(tx, storage, (recording) => writeWorks(recording, works, now), { tenants, now }),
  );
}

async function writeWorks(recording: Recording, works: readonly RecordingRequest[], now: number) {
  const { fresh, outcomes } = await splitDuplicates(recording, works);
  const { runs, withdrawn } = await writeFresh(recording, fresh, outcomes);
  await rememberBatches(recording, fresh, outcomes, now);
  recording.sweep = withdrawn.length > 0;
  return {
    outcomes: works.map((work) => outcomeOf(work, fresh, outcomes)),
    runs: [...runs, ...withdrawn],
  };
}

type Outcomes = Map<RecordingRequest, RecordingOutcome>;

const keyOf = ({ tenantId, batch }: RecordingRequest): string | undefined =>
  batch ? batchKey({ tenantId, batchId: batch }) : undefined;

/**
 * Splits off requests that were recorded before; of duplicates in the input, the first is written.
 */
async function splitDuplicates(
  recording: Recording,
  works: readonly RecordingRequest[],
): Promise<{ fresh: RecordingRequest[]; outcomes: Outcomes }> {
  const outcomes: Outcomes = new Map();
  const batches = works.flatMap(({ tenantId, batch }) =>
    batch ? [{ tenantId, batchId: batch }] : [],
  );
  if (batches.length === 0) return { fresh: [...works], outcomes };
  const recorded = await findBatches(recording, batches);
  const keys = new Set<string>();
  const fresh = works.filter((work) => {
    const key = keyOf(work);
    if (key === undefined) return true;
    const earlier = recorded.get(key);
    if (earlier) outcomes.set(work, repeated(work, earlier));
    else if (!keys.has(key)) return keys.add(key);
    return false;
  });
  return { fresh, outcomes };
}

const runOf = (work: RecordingRequest): number | null =>
  work.kind === 'add' || work.kind === 'complete' ? work.to.runId : null;

/** The kind stored with the batch id. */
function kindOf(work: RecordingRequest): Recorded['kind'] {
  if (work.kind !== 'add') return work.kind;
  const kinds = ['calls', 'steps', 'spans', 'scores'] as const;
  return kinds.find((kind) => work.telemetry[kind]) ?? 'add';
}

/** A batch id identifies one request: using it for another one is a client error. */
function repeated(work: RecordingRequest, earlier: Recorded): RecordingOutcome {
  const isSame =
    (kindOf(work) === earlier.kind || work.kind === earlier.kind) &&
    work.items === earlier.item_count &&
    (work.kind === 'start' || runOf(work) === earlier.run_id);
  if (!isSame)
    return {
      error: new ApiError(
        'batch_id_reused',
        `batch_id ${work.batch} was already used for a different request`,
      ),
    };
  if (work.kind === 'start' && !earlier.run) return { error: noRun(earlier.run_id ?? 0) };
  return { value: work.kind === 'start' ? earlier.run : undefined };
}

/** A duplicate within the transaction gets the outcome of the first. */
function outcomeOf(
  work: RecordingRequest,
  fresh: readonly RecordingRequest[],
  outcomes: Outcomes,
): RecordingOutcome {
  const own = outcomes.get(work);
  if (own) return own;
  const first = fresh.find((one) => keyOf(one) === keyOf(work)) as RecordingRequest;
  const outcome = outcomes.get(first) as RecordingOutcome;
  if ('error' in outcome) return outcome;
  const run = first.kind === 'start' ? (outcome.value as StartedRun) : undefined;
  const kind = kindOf(first);
  return repeated(work, { kind, run_id: runOf(first), item_count: first.items, run });
}

async function rememberBatches(
  tx: Tx,
  fresh: readonly RecordingRequest[],
  outcomes: Outcomes,
  created_at: number,
): Promise<void> {
  const rows = fresh.flatMap((work) => {
    const outcome = outcomes.get(work);
    if (!work.batch || !outcome || 'error' in outcome) return [];
    const { tenantId: tenant_id, batch: batch_id, items: item_count } = work;
    const kind = kindOf(work);
    const run_id = work.kind === 'start' ? (outcome.value as StartedRun).id : runOf(work);
    return [{ tenant_id, batch_id, kind, run_id, item_count, created_at }];
  });
  await tx.bulk.insert('recording_batches', rows);
}

async function writeFresh(
  recording: Recording,
  works: readonly RecordingRequest[],
  outcomes: Outcomes,
): Promise<{ runs: RunRef[]; withdrawn: readonly RunRef[] }> {
  const targets = await findTargets(recording, works);
  const started = await start(recording, works, targets, outcomes);
  const telemetry: OnRun[] = [];
  const events: Rows<'events'>[number][] = [];
  for (const work of works) {
    if (work.kind === 'start') continue;
    if (work.kind === 'events') {
      events.push(...work.events);
      outcomes.set(work, { value: undefined });
      continue;
    }
    const run = targets.get(targetKey(work.tenantId, work.to.runId));
    const refusal = run
      ? work.kind === 'complete' && (await end(recording, run, work.end))
      : noRun(work.to.runId);
    if (run && !refusal) telemetry.push({ run, ...work.telemetry });
    outcomes.set(work, refusal ? { error: refusal } : { value: run });
  }
  const { repeated, withdrawn } = await replaceCaptured(recording, telemetryOf(telemetry));
  await addTelemetry(recording, repeated.size > 0 ? withoutCalls(telemetry, repeated) : telemetry);
  await recording.bulk.insert('events', events);
  return { runs: [...started, ...telemetry.map(({ run }) => run)], withdrawn };
}

/** Only calls with a response id can be duplicates. */
function telemetryOf(telemetry: readonly OnRun[]): RecordedCall[] {
  const identified: RecordedCall[] = [];
  for (const { run, calls = [] } of telemetry)
    for (const call of calls)
      if (call.response_id) identified.push({ tenantId: run.tenant_id, call });
  return identified;
}

const withoutCalls = (telemetry: readonly OnRun[], calls: ReadonlySet<NewCall>): OnRun[] =>
  telemetry.map((item) =>
    item.calls ? { ...item, calls: item.calls.filter((call) => !calls.has(call)) } : item,
  );

const noRun = (id: number): ApiError => new ApiError('not_found', `there is no run ${id}`);

const targetKey = (tenantId: string, runId: number): string => `${tenantId} ${runId}`;

/**
 * The runs that the requests refer to. If any request completes a run, all runs are locked here, in
 * a fixed order: runs are completed in the order of the requests, and transactions cannot deadlock.
 */
async function findTargets(
  recording: Recording,
  works: readonly RecordingRequest[],
): Promise<Map<string, RunRef>> {
  const idsByTenant = new Map<string, Set<number>>();
  const addId = (tenantId: string, id: number | null | undefined): void => {
    if (typeof id !== 'number') return;
    const ids = idsByTenant.get(tenantId) ?? new Set();
    idsByTenant.set(tenantId, ids.add(id));
  };
  for (const work of works)
    if (work.kind === 'start') addId(work.tenantId, work.run.parent_run_id);
    else if (work.kind !== 'events') addId(work.tenantId, work.to.runId);
  const runs = new Map<string, RunRef>();
  const lock = works.some(({ kind }) => kind === 'complete') ? 'no key update' : 'key share';
  for (const [tenantId, ids] of [...idsByTenant].sort(([a], [b]) => (a < b ? -1 : 1)))
    for (const [id, run] of await findRuns(recording, tenantId, [...ids], lock))
      runs.set(targetKey(tenantId, id), run);
  return runs;
}

async function start(
  recording: Recording,
  works: readonly RecordingRequest[],
  targets: ReadonlyMap<string, RunRef>,
  outcomes: Outcomes,
): Promise<RunRef[]> {
  const starting: WorkOf<'start'>[] = [];
  for (const work of works) {
    if (work.kind !== 'start') continue;
    const { tenant_id, parent_run_id: parent } = work.run;
    if (typeof parent === 'number' && !targets.has(targetKey(tenant_id, parent)))
      outcomes.set(work, { error: noRun(parent) });
    else {
      const refusal = await recording.quotas.takeRun(work.run);
      if (refusal) outcomes.set(work, { error: refusal });
      else starting.push(work);
    }
  }
  if (starting.length === 0) return [];
  const runs = await startRuns(
    recording,
    starting.map(({ run }) => run),
  );
  starting.forEach((work, index) => outcomes.set(work, { value: runs[index] }));
  const evaluations = starting.flatMap((work, index) => {
    const { tenant_id, id: run_id } = runs[index] as RunRef;
    return work.evaluations.map((evaluation) => ({ tenant_id, run_id, ...evaluation }));
  });
  await recording.bulk.insert('evaluations', evaluations);
  return runs;
}

async function end(
  recording: Recording,
  run: RunRef,
  runEnd: RunEnd,
): Promise<ApiError | undefined> {
  // Client clocks differ: a run must not end before it starts.
  const completed_at = Math.max(runEnd.completed_at, run.started_at);
  if (
    run.status === 'running' &&
    (await completeRun(recording, run, { ...runEnd, completed_at }))
  ) {
    // A second completion in this transaction gets a conflict.
    run.status = runEnd.status;
    return undefined;
  }
  return new ApiError('already_done', `run ${run.id} is already completed`);
}
