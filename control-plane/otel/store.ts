import type { Masker } from '../masking/masker.ts';
import { addTelemetry, type OnRun, type Recording } from '../recording/queries.ts';
import { replaceCaptured, type SameCalls } from '../recording/same-call-queries.ts';
import type { Storage } from '../storage/open.ts';
import { retryUnique } from '../storage/retry-unique.ts';
import type { Tables } from '../storage/tables.ts';
import { openQuotaUsage } from '../tenancy/quota-usage/open-quota-usage.ts';
import { tenantsWithQuotas } from '../tenancy/quotas.ts';
import type { RunRef } from '../usage/count.ts';
import { storeTally, sweepTotals } from '../usage/queries.ts';
import { newTally } from '../usage/tally.ts';
import { linkCalls } from './calls/find-ids.ts';
import { lastCallId } from './calls/call-queries.ts';
import { recordCalls, type RecordedCalls } from './calls/record-calls.ts';
import { scoreCalls } from './calls/score-calls.ts';
import { nodeKey } from './nesting.ts';
import type { PreparedSpan } from './prepare.ts';
import { insertNodes, lockTraces, saveTraces } from './queries.ts';
import type { TraceRecording } from './trace-recording.ts';
import { admitTraces } from './runs/admit-traces.ts';
import { type ChangedTrace, type Settled, settleRuns } from './runs/settle-runs.ts';
import type { RejectedSpan } from './span.ts';
import { joinFacts, type TraceFacts } from './trace-facts.ts';
import { countUnmapped } from './unmapped-attributes.ts';
import { storeUnmapped } from './unmapped-queries.ts';

export interface Batch {
  tenantId: string;
  /** When it was received, in milliseconds since 1970. */
  at: number;
  spans: readonly PreparedSpan[];
  rejected: readonly RejectedSpan[];
}

/** Telemetry added to a run, and whether the run began or ended with it. */
export interface Traced extends OnRun {
  began: boolean;
  ended: boolean;
}

export interface Stored {
  traced: Traced[];
  rejected: RejectedSpan[];
}

type TraceRow = Tables['otel_traces'];

/**
 * Stores spans in one transaction; the spans of a trace may arrive in any order. Repeated spans
 * change nothing. Returns the changed runs, each with its added telemetry, and the spans rejected
 * by a quota.
 */
export const storeBatch = (storage: Storage, masker: Masker, batch: Batch): Promise<Stored> =>
  retryUnique(storage, () => store(storage, masker, batch));

async function store(storage: Storage, masker: Masker, batch: Batch): Promise<Stored> {
  const { tenantId, at } = batch;
  const tenants = await tenantsWithQuotas(storage, [tenantId]);
  return storage.db.transaction().execute(async (trx) => {
    const quotas = await openQuotaUsage(trx, storage.bulk, tenants, at);
    const recording: TraceRecording = {
      trx,
      bulk: storage.bulk,
      search: storage.search,
      tally: newTally(),
      quotas,
    };
    const traceIds = [...new Set(batch.spans.map(({ node }) => node.trace_id))];
    const rows = await lockTraces(recording, tenantId, traceIds, at);
    const admitted = await admitTraces(recording, tenantId, rows, batch.spans);
    const spans = await insertNew(recording, tenantId, distinct(admitted.spans));
    const changed = changedTraces(rows, spans);
    const settled = await settleRuns(recording, tenantId, changed, masker);
    const { runs, moved } = settled;
    const isRecorded = ({ node }: PreparedSpan): boolean => runs.has(node.trace_id);
    const recorded = spans.filter(isRecorded);
    const planned = await recordCalls(recording, tenantId, recorded, runs);
    const same = await replaceCaptured(
      recording,
      planned.calls.map(({ call }) => ({ tenantId, call })),
    );
    const calls = withoutRepeated(planned, same);
    const after = await lastCallId(recording, tenantId);
    const telemetry = telemetryOf(changed, recorded, calls, settled);
    await addTelemetry(recording, telemetry);
    const renamed = await linkCalls(recording, tenantId, calls, { runs, after });
    const runIds = [...new Set([...runs.values()].map(({ id }) => id))];
    await scoreCalls(recording, tenantId, renamed, { spans: recorded, runIds });
    await saveTraces(recording, changed.map(rowOf(tenantId, at, runs)));
    const worked = spans.filter(({ work }) => work).map(({ span }) => span);
    const rejected = [...batch.rejected, ...admitted.rejected];
    await storeUnmapped(recording, tenantId, countUnmapped(tenantId, worked, rejected, at));
    await quotas.store();
    await storeTally(trx, storage.bulk, recording.tally);
    if (moved || calls.removed || same.withdrawn.length > 0)
      await sweepTotals(trx, storage.bulk, recording.tally);
    return { traced: telemetry, rejected: admitted.rejected };
  });
}

/** Without duplicates, ordered by end, as calls are listed. */
function distinct(spans: readonly PreparedSpan[]): PreparedSpan[] {
  const byId = new Map<string, PreparedSpan>();
  for (const span of spans) {
    const key = nodeKey(span.node.trace_id, span.node.span_id);
    if (!byId.has(key)) byId.set(key, span);
  }
  return [...byId.values()].sort((a, b) => a.span.ended_at - b.span.ended_at);
}

async function insertNew(
  recording: Recording,
  tenantId: string,
  spans: readonly PreparedSpan[],
): Promise<PreparedSpan[]> {
  const added = await insertNodes(
    recording,
    tenantId,
    spans.map(({ node }) => node),
  );
  return spans.filter((_, index) => added[index]);
}

/** Drops calls that were already recorded from another source; their spans are kept. */
const withoutRepeated = (planned: RecordedCalls, { repeated }: SameCalls): RecordedCalls => ({
  ...planned,
  calls: planned.calls.filter(({ call }) => !repeated.has(call)),
});

/** Merges the facts of each trace with those of its new spans. */
function changedTraces(rows: readonly TraceRow[], spans: readonly PreparedSpan[]): ChangedTrace[] {
  const byTrace = Map.groupBy(spans, ({ node }) => node.trace_id);
  return rows.flatMap(({ trace_id, run_id, facts: stored, state }) => {
    const fresh = byTrace.get(trace_id) ?? [];
    const allFacts = fresh.map(({ facts }) => facts);
    if (stored !== null) allFacts.push(JSON.parse(stored) as TraceFacts);
    if (fresh.length === 0) return [];
    const facts = allFacts.reduce(joinFacts);
    const top = fresh.find(({ node }) => node.span_id === facts.top.value.span_id);
    return {
      trace_id,
      run_id,
      facts,
      closed: run_id !== null && (state === 'complete' || state === 'settled'),
      has_work: fresh.some(({ work }) => work),
      payload: top && (top.work?.payload ?? { inputs: null, result: null }),
    };
  });
}

function telemetryOf(
  traces: readonly ChangedTrace[],
  spans: readonly PreparedSpan[],
  calls: RecordedCalls,
  { runs, began, ended }: Settled,
): Traced[] {
  const spansOf = Map.groupBy(spans, ({ node }) => node.trace_id);
  const callsOf = Map.groupBy(calls.calls, ({ node }) => node.trace_id);
  const wrappersOf = Map.groupBy(calls.spans, ({ trace_id }) => trace_id);
  return traces.flatMap(({ trace_id, facts }) => {
    const run = runs.get(trace_id);
    if (!run) return [];
    const works = (spansOf.get(trace_id) ?? []).flatMap(({ work }) => work ?? []);
    const wrappers = (wrappersOf.get(trace_id) ?? []).map(({ span }) => span);
    return {
      run,
      began: began.has(trace_id),
      ended: ended.has(trace_id),
      at: facts.ended_at,
      calls: (callsOf.get(trace_id) ?? []).map(({ call }) => call),
      spans: [...works.flatMap(({ behavior }) => behavior ?? []), ...wrappers],
      scores: works.flatMap(({ scores }) => scores),
    };
  });
}

const rowOf =
  (tenant_id: string, seen_at: number, runs: ReadonlyMap<string, RunRef>) =>
  ({ trace_id, facts, closed }: ChangedTrace): TraceRow => {
    const run_id = runs.get(trace_id)?.id ?? null;
    const isOver = closed || facts.top.value.is_root;
    const state = run_id === null ? 'plain' : isOver ? 'complete' : 'open';
    return { tenant_id, trace_id, run_id, facts: JSON.stringify(facts), state, seen_at };
  };
