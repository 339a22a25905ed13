import { ApiError } from '#contract/errors.ts';
import type { Rows } from '../storage/bulk.ts';
import type { Storage } from '../storage/open.ts';
import type { Tx } from '../storage/transaction.ts';
import { tenantsWithQuotas } from '../tenants/quotas.ts';
import type { FindTenantState } from '../tenants/tenant-states.ts';
import type { RunRef } from '../usage/count.ts';
import { batchKey, findBatches, type Recorded, type StartedRun } from './batch-id-queries.ts';
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
import { addTelemetry, type RunTelemetry } from './telemetry-queries.ts';
import { runRecording } from './recording-transaction.ts';
import { replaceCaptured, type CandidateCall } from './same-call-queries.ts';

export type BatchId = string | null | undefined;

export interface Target {
  tenantId: string;
  runId: number;
  /** In milliseconds since 1970. */
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

/** The result of one request, or the reason why it was refused. */
export type RecordingOutcome = { value: unknown } | { error: ApiError };

/**
 * Writes all requests in one transaction. A refused request writes nothing and does not affect the
 * others.
 */
export async function write(
  storage: Storage,
  findTenantState: FindTenantState,
  requests: readonly RecordingRequest[],
  now: number,
): Promise<{ outcomes: RecordingOutcome[]; runs: RunRef[] }> {
  const tenants = await tenantsWithQuotas(
    findTenantState,
    requests.map(({ tenantId }) => tenantId),
  );
  return storage.transaction((tx) =>
    runRecording(tx, storage, (recording) => writeRequests(recording, requests, now), {
      tenants,
      now,
    }),
  );
}

async function writeRequests(
  recording: Recording,
  requests: readonly RecordingRequest[],
  now: number,
) {
  const { fresh, outcomes } = await splitDuplicates(recording, requests);
  const { runs, withdrawn } = await writeNewRequests(recording, fresh, outcomes);
  await rememberBatches(recording, fresh, outcomes, now);
  recording.emptiesTotals = withdrawn.length > 0;
  return {
    outcomes: requests.map((request) => outcomeOf(request, fresh, outcomes)),
    runs: [...runs, ...withdrawn],
  };
}

type Outcomes = Map<RecordingRequest, RecordingOutcome>;

const keyOf = ({ tenantId, batch }: RecordingRequest): string | undefined =>
  batch ? batchKey({ tenantId, batchId: batch }) : undefined;

/**
 * Separates the requests that were already recorded. Of duplicates in the input, the first is
 * written.
 */
async function splitDuplicates(
  recording: Recording,
  requests: readonly RecordingRequest[],
): Promise<{ fresh: RecordingRequest[]; outcomes: Outcomes }> {
  const outcomes: Outcomes = new Map();
  const batches = requests.flatMap(({ tenantId, batch }) =>
    batch ? [{ tenantId, batchId: batch }] : [],
  );
  if (batches.length === 0) return { fresh: [...requests], outcomes };
  const recorded = await findBatches(recording, batches);
  const keys = new Set<string>();
  const fresh = requests.filter((request) => {
    const key = keyOf(request);
    if (key === undefined) return true;
    const earlier = recorded.get(key);
    if (earlier) outcomes.set(request, outcomeOfRepeat(request, earlier));
    else if (!keys.has(key)) return keys.add(key);
    return false;
  });
  return { fresh, outcomes };
}

const runIdOf = (request: RecordingRequest): number | null =>
  request.kind === 'add' || request.kind === 'complete' ? request.to.runId : null;

/** Returns the kind that is stored with the batch id. */
function kindOf(request: RecordingRequest): Recorded['kind'] {
  if (request.kind !== 'add') return request.kind;
  const kinds = ['calls', 'steps', 'spans', 'scores'] as const;
  return kinds.find((kind) => request.telemetry[kind]) ?? 'add';
}

/**
 * Returns the outcome of the first request, or `batch_id_reused` if this request is a different
 * one.
 */
function outcomeOfRepeat(request: RecordingRequest, earlier: Recorded): RecordingOutcome {
  // An older version stored `add` for every kind of telemetry.
  const isSame =
    (kindOf(request) === earlier.kind || request.kind === earlier.kind) &&
    request.items === earlier.item_count &&
    (request.kind === 'start' || runIdOf(request) === earlier.run_id);
  if (!isSame)
    return {
      error: new ApiError(
        'batch_id_reused',
        `batch_id ${request.batch} was already used for a different request`,
      ),
    };
  if (request.kind === 'start' && !earlier.run) return { error: runNotFound(earlier.run_id ?? 0) };
  return { value: request.kind === 'start' ? earlier.run : undefined };
}

/**
 * Returns the outcome of a request. A duplicate within the transaction gets the outcome of the
 * first.
 */
function outcomeOf(
  request: RecordingRequest,
  fresh: readonly RecordingRequest[],
  outcomes: Outcomes,
): RecordingOutcome {
  const own = outcomes.get(request);
  if (own) return own;
  const first = fresh.find((one) => keyOf(one) === keyOf(request)) as RecordingRequest;
  const outcome = outcomes.get(first) as RecordingOutcome;
  if ('error' in outcome) return outcome;
  const run = first.kind === 'start' ? (outcome.value as StartedRun) : undefined;
  const kind = kindOf(first);
  return outcomeOfRepeat(request, { kind, run_id: runIdOf(first), item_count: first.items, run });
}

async function rememberBatches(
  tx: Tx,
  fresh: readonly RecordingRequest[],
  outcomes: Outcomes,
  created_at: number,
): Promise<void> {
  const rows = fresh.flatMap((request) => {
    const outcome = outcomes.get(request);
    if (!request.batch || !outcome || 'error' in outcome) return [];
    const { tenantId: tenant_id, batch: batch_id, items: item_count } = request;
    const kind = kindOf(request);
    const run_id = request.kind === 'start' ? (outcome.value as StartedRun).id : runIdOf(request);
    return [{ tenant_id, batch_id, kind, run_id, item_count, created_at }];
  });
  await tx.bulk.insert('recording_batches', rows);
}

async function writeNewRequests(
  recording: Recording,
  requests: readonly RecordingRequest[],
  outcomes: Outcomes,
): Promise<{ runs: RunRef[]; withdrawn: readonly RunRef[] }> {
  const targets = await findTargets(recording, requests);
  const started = await start(recording, requests, targets, outcomes);
  const telemetry: RunTelemetry[] = [];
  const events: Rows<'events'>[number][] = [];
  for (const request of requests) {
    if (request.kind === 'start') continue;
    if (request.kind === 'events') {
      events.push(...request.events);
      outcomes.set(request, { value: undefined });
      continue;
    }
    const run = targets.get(targetKey(request.tenantId, request.to.runId));
    const refusal = run
      ? request.kind === 'complete' && (await end(recording, run, request.end))
      : runNotFound(request.to.runId);
    if (run && !refusal) telemetry.push({ run, ...request.telemetry });
    outcomes.set(request, refusal ? { error: refusal } : { value: run });
  }
  const { repeated, withdrawn } = await replaceCaptured(recording, callsWithResponseId(telemetry));
  await addTelemetry(recording, repeated.size > 0 ? withoutCalls(telemetry, repeated) : telemetry);
  await recording.bulk.insert('events', events);
  return { runs: [...started, ...telemetry.map(({ run }) => run)], withdrawn };
}

/** Returns the calls with a response id, because only these can be duplicates. */
function callsWithResponseId(telemetry: readonly RunTelemetry[]): CandidateCall[] {
  const identified: CandidateCall[] = [];
  for (const { run, calls = [] } of telemetry)
    for (const call of calls)
      if (call.response_id) identified.push({ tenantId: run.tenant_id, call });
  return identified;
}

const withoutCalls = (
  telemetry: readonly RunTelemetry[],
  calls: ReadonlySet<NewCall>,
): RunTelemetry[] =>
  telemetry.map((item) =>
    item.calls ? { ...item, calls: item.calls.filter((call) => !calls.has(call)) } : item,
  );

const runNotFound = (id: number): ApiError => new ApiError('not_found', `there is no run ${id}`);

const targetKey = (tenantId: string, runId: number): string => `${tenantId} ${runId}`;

/**
 * Finds the runs that the requests refer to. If any request completes a run, all runs are locked
 * here in a fixed order, so that runs are completed in the order of the requests, and transactions
 * cannot deadlock.
 */
async function findTargets(
  recording: Recording,
  requests: readonly RecordingRequest[],
): Promise<Map<string, RunRef>> {
  const idsByTenant = new Map<string, Set<number>>();
  const addId = (tenantId: string, id: number | null | undefined): void => {
    if (typeof id !== 'number') return;
    const ids = idsByTenant.get(tenantId) ?? new Set();
    idsByTenant.set(tenantId, ids.add(id));
  };
  for (const request of requests)
    if (request.kind === 'start') addId(request.tenantId, request.run.parent_run_id);
    else if (request.kind !== 'events') addId(request.tenantId, request.to.runId);
  const runs = new Map<string, RunRef>();
  const lock = requests.some(({ kind }) => kind === 'complete') ? 'no key update' : 'key share';
  for (const [tenantId, ids] of [...idsByTenant].sort(([a], [b]) => (a < b ? -1 : 1)))
    for (const [id, run] of await findRuns(recording, tenantId, [...ids], lock))
      runs.set(targetKey(tenantId, id), run);
  return runs;
}

async function start(
  recording: Recording,
  requests: readonly RecordingRequest[],
  targets: ReadonlyMap<string, RunRef>,
  outcomes: Outcomes,
): Promise<RunRef[]> {
  const starting: WorkOf<'start'>[] = [];
  for (const request of requests) {
    if (request.kind !== 'start') continue;
    const { tenant_id, parent_run_id: parent } = request.run;
    if (typeof parent === 'number' && !targets.has(targetKey(tenant_id, parent)))
      outcomes.set(request, { error: runNotFound(parent) });
    else {
      const refusal = await recording.quotas.takeRun(request.run);
      if (refusal) outcomes.set(request, { error: refusal });
      else starting.push(request);
    }
  }
  if (starting.length === 0) return [];
  const runs = await startRuns(
    recording,
    starting.map(({ run }) => run),
  );
  starting.forEach((request, index) => outcomes.set(request, { value: runs[index] }));
  const evaluations = starting.flatMap((request, index) => {
    const { tenant_id, id: run_id } = runs[index] as RunRef;
    return request.evaluations.map((evaluation) => ({ tenant_id, run_id, ...evaluation }));
  });
  await recording.bulk.insert('evaluations', evaluations);
  return runs;
}

async function end(
  recording: Recording,
  run: RunRef,
  runEnd: RunEnd,
): Promise<ApiError | undefined> {
  // Clocks of clients differ, but a run must not end before it starts.
  const completed_at = Math.max(runEnd.completed_at, run.started_at);
  if (
    run.status === 'running' &&
    (await completeRun(recording, run, { ...runEnd, completed_at }))
  ) {
    // A second completion in this transaction is then a conflict.
    run.status = runEnd.status;
    return undefined;
  }
  return new ApiError('already_done', `run ${run.id} is already completed`);
}
