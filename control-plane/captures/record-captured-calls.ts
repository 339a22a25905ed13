import { type Recording, startRuns } from '../recording/queries.ts';
import { addTelemetry, type RunTelemetry } from '../recording/telemetry-queries.ts';
import { type Admission, runRecording } from '../recording/recording-transaction.ts';
import {
  findRecordedCalls,
  type UnfinishedCall,
  withdrawUnfinished,
} from '../recording/same-call-queries.ts';
import type { Storage } from '../storage/open.ts';
import type { Tx } from '../storage/transaction.ts';
import { countDuration } from '../usage/count.ts';
import type { CapturedCall } from './captured-call.ts';
import { findRecordedCaptures } from './call-queries.ts';

/**
 * Records runs of captured calls, in the transaction that stores their captures. It skips calls
 * that were already reported, and runs rejected by a quota. Returns the telemetry of the recorded
 * calls.
 */
export async function recordCapturedCalls(
  tx: Tx,
  storage: Storage,
  calls: readonly CapturedCall[],
  admission: Admission,
): Promise<ReadonlyMap<CapturedCall, RunTelemetry>> {
  if (calls.length === 0) return new Map();
  return runRecording(
    tx,
    storage,
    async (recording) => {
      const { fetched = [], requested = [] } = Object.groupBy(calls, ({ isFetched }) =>
        isFetched ? 'fetched' : 'requested',
      );
      const recorded = await recordNew(recording, requested);
      return fetched.length === 0 ? recorded : recordFetched(recording, fetched, recorded);
    },
    admission,
  );
}

type RecordedCalls = Map<CapturedCall, RunTelemetry>;

const recordNew = async (
  recording: Recording,
  calls: readonly CapturedCall[],
): Promise<RecordedCalls> =>
  start(recording, await admit(recording, await withoutDuplicates(recording, calls)));

/**
 * Records responses that were created in the background. Each replaces the call of the request that
 * created it, in `recorded` too, so that both are one call with a prompt, an answer and a cost.
 */
async function recordFetched(
  recording: Recording,
  calls: readonly CapturedCall[],
  recorded: RecordedCalls,
): Promise<RecordedCalls> {
  const candidates = calls.map(({ run, call }) => ({ tenantId: run.tenant_id, call }));
  const requests = await withdrawUnfinished(recording, candidates);
  if (requests.size > 0) recording.emptiesTotals = true;
  const withdrawn = new Set([...requests.values()].map(({ run }) => run.id));
  for (const [call, { run }] of recorded) if (withdrawn.has(run.id)) recorded.delete(call);
  const completed = new Map(
    calls.map((captured) => [withRequest(captured, requests.get(captured.call)), captured]),
  );
  for (const [call, telemetry] of await recordNew(recording, [...completed.keys()]))
    recorded.set(completed.get(call) as CapturedCall, telemetry);
  return recorded;
}

function withRequest(captured: CapturedCall, request: UnfinishedCall | undefined): CapturedCall {
  if (!request) return captured;
  const { started_at, session_id } = request.run;
  const { run, call } = captured;
  return {
    ...captured,
    run: { ...run, started_at, session_id: run.session_id ?? session_id },
    call: {
      ...call,
      ...request.call,
      duration_ms: Math.max(0, run.completed_at - started_at),
    },
  };
}

async function withoutDuplicates(
  recording: Recording,
  calls: readonly CapturedCall[],
): Promise<CapturedCall[]> {
  const byTenant = Map.groupBy(calls, ({ run }) => run.tenant_id);
  const recorded = new Set<string>();
  for (const [tenantId, ofTenant] of byTenant) {
    const ids = ofTenant.map(({ run }) => run.capture_id);
    for (const id of await findRecordedCaptures(recording, tenantId, ids)) recorded.add(id);
  }
  const candidates = calls.map(({ run, call }) => ({ tenantId: run.tenant_id, call }));
  const repeated = await findRecordedCalls(recording, candidates);
  return calls.filter(({ run, call }) => !recorded.has(run.capture_id) && !repeated.has(call));
}

async function admit(
  { quotas }: Recording,
  calls: readonly CapturedCall[],
): Promise<CapturedCall[]> {
  const admitted: CapturedCall[] = [];
  for (const call of calls) if (!(await quotas.takeRun(call.run))) admitted.push(call);
  return admitted;
}

async function start(recording: Recording, calls: readonly CapturedCall[]): Promise<RecordedCalls> {
  if (calls.length === 0) return new Map();
  const runs = await startRuns(
    recording,
    calls.map(({ run }) => run),
  );
  const recorded: RecordedCalls = new Map();
  runs.forEach((run, index) => {
    const captured = calls[index] as CapturedCall;
    const { completed_at: at } = captured.run;
    countDuration(recording.tally, run, at - run.started_at);
    recorded.set(captured, { run, at, calls: [captured.call], spans: captured.spans });
  });
  await addTelemetry(recording, [...recorded.values()]);
  return recorded;
}
