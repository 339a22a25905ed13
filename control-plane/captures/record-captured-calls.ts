import { type Recording, startRuns } from '../recording/queries.ts';
import { addTelemetry, type RunTelemetry } from '../recording/telemetry-queries.ts';
import { type Admission, runRecording } from '../recording/recording-transaction.ts';
import { findRecordedCalls } from '../recording/same-call-queries.ts';
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
    async (recording) =>
      start(recording, await admit(recording, await withoutDuplicates(recording, calls))),
    admission,
  );
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

async function start(
  recording: Recording,
  calls: readonly CapturedCall[],
): Promise<Map<CapturedCall, RunTelemetry>> {
  if (calls.length === 0) return new Map();
  const runs = await startRuns(
    recording,
    calls.map(({ run }) => run),
  );
  const recorded = new Map<CapturedCall, RunTelemetry>();
  runs.forEach((run, index) => {
    const captured = calls[index] as CapturedCall;
    const { completed_at: at } = captured.run;
    countDuration(recording.tally, run, at - run.started_at);
    recorded.set(captured, { run, at, calls: [captured.call], spans: captured.spans });
  });
  await addTelemetry(recording, [...recorded.values()]);
  return recorded;
}
