import type { Masker } from '../settings/masking/masker.ts';
import type { NewCall, Recording } from '../recording/queries.ts';
import { addTelemetry, type RunTelemetry } from '../recording/telemetry-queries.ts';
import { replaceCaptured, type SameCalls } from '../recording/same-call-queries.ts';
import type { Storage } from '../storage/open.ts';
import { retryConflicts } from '../storage/retry-conflicts.ts';
import type { Tables } from '../storage/tables.ts';
import { tenantsWithQuotas } from '../tenants/quotas.ts';
import type { FindTenantState } from '../tenants/tenant-states.ts';
import type { RunRef } from '../usage/count.ts';
import { linkCalls } from './calls/link-calls.ts';
import { type ArrivedSpan, findArrivedSpans, removeAwaitedCalls } from './calls/awaited-calls.ts';
import { joinCalls } from './calls/join-rules.ts';
import { findJoinedCalls, type JoinedCall, replaceJoinedCalls } from './calls/joined-calls.ts';
import { type CallOfNode, reviseCalls, type RevisedCalls } from './calls/revise-calls.ts';
import { scoreCalls } from './calls/score-calls.ts';
import { joinSpans } from './join-spans.ts';
import { type Node, nodeKey } from './nesting.ts';
import type { PreparedSpan } from './prepare-span.ts';
import {
  insertFirstNodes,
  insertKeptSpans,
  insertNodes,
  type LockedTraces,
  lockTraces,
  saveTraces,
} from './queries.ts';
import { runRecording } from '../recording/recording-transaction.ts';
import { admitTraces } from './runs/admit-traces.ts';
import {
  type ChangedTrace,
  type Payload,
  type RecordingDevice,
  type SettledRuns,
  settleRuns,
  startRunsOfTraces,
} from './runs/settle-runs.ts';
import type { RejectedSpan } from './span.ts';
import { spanListOf } from './span-list.ts';
import { joinAllFacts, type TraceFacts } from './trace-facts.ts';
import { claimToolCalls, fillToolCalls } from './tool-calls.ts';
import { countUnmapped, type UnmappedName } from './unmapped-attributes.ts';
import { storeUnmapped } from './unmapped-queries.ts';

export interface Batch {
  tenantId: string;
  /** When it was received, in milliseconds since 1970. */
  at: number;
  spans: readonly PreparedSpan[];
  rejected: readonly RejectedSpan[];
  /** The device whose recording key was used. */
  device?: RecordingDevice;
  /** The API key that was used. */
  keyId?: string;
  /** Log events without a rule. */
  unmapped?: readonly UnmappedName[];
}

/** Telemetry added to a run, and whether the run began or ended with it. */
export interface Traced extends RunTelemetry {
  began: boolean;
  ended: boolean;
}

export interface Stored {
  traced: Traced[];
  /** The reasons why a quota rejected the spans of these traces. */
  refusals: ReadonlyMap<string, string>;
}

type TraceRow = Tables['otel_traces'];

export interface Destination {
  storage: Storage;
  findTenantState: FindTenantState;
}

/**
 * Stores spans in one transaction. The spans of a trace may arrive in any order, and repeated spans
 * are ignored. Returns for each batch the changed runs with their added telemetry, and why traces
 * were rejected.
 */
export const storeBatches = (to: Destination, batches: readonly MaskedBatch[]): Promise<Stored[]> =>
  retryConflicts(to.storage, () => store(to, batches));

export interface MaskedBatch extends Batch {
  masker: Masker;
}

async function store(
  { storage, findTenantState }: Destination,
  batches: readonly MaskedBatch[],
): Promise<Stored[]> {
  const tenants = await tenantsWithQuotas(
    findTenantState,
    batches.map(({ tenantId }) => tenantId),
  );
  const now = Math.max(...batches.map(({ at }) => at));
  const work = async (recording: Recording): Promise<Stored[]> => {
    const stored: Stored[] = [];
    for (const { masker, ...batch } of batches)
      stored.push(await storeSpans(recording, masker, batch));
    return stored;
  };
  return storage.transaction((tx) => runRecording(tx, storage, work, { tenants, now }));
}

async function storeSpans(recording: Recording, masker: Masker, batch: Batch): Promise<Stored> {
  const { tenantId, at } = batch;
  const traceIds = [...new Set(batch.spans.map(({ node }) => node.trace_id))];
  const traces = await lockTraces(recording, tenantId, traceIds, at);
  const { rows } = traces;
  await insertKeptSpans(recording, tenantId, rows);
  const admitted = await admitTraces(recording, tenantId, rows, batch.spans);
  // A trace gets its facts with its first spans, so a trace without facts has no stored spans.
  const begun = new Set(rows.flatMap(({ trace_id, facts }) => (facts === null ? [] : trace_id)));
  const inserted = await insertNew(recording, tenantId, distinct(admitted.spans), begun);
  const { first, added, joined, arrived } = inserted;
  const { spans, repeated } = await claimToolCalls(recording, tenantId, added);
  const changed = changedTraces(rows, [...spans, ...joined.map(({ span }) => span)]);
  const settled = await settleRuns(recording, tenantId, changed, masker);
  const { runs, starting } = settled;
  const isRecorded = ({ node: { trace_id } }: PreparedSpan): boolean =>
    runs.has(trace_id) || starting.has(trace_id);
  const recorded = spans.filter(isRecorded);
  const planned = await reviseCalls(recording, tenantId, recorded, { runs, begun });
  planned.removed ||= await removeAwaitedCalls(recording, arrived, runs);
  const replaced = await replaceJoinedCalls(recording, joined, runs);
  planned.calls.push(...replaced);
  planned.calls = withTextsOfDuplicates(planned.calls);
  planned.removed ||= replaced.length > 0;
  const same = await replaceCaptured(
    recording,
    planned.calls.map(({ call }) => ({ tenantId, call })),
  );
  const calls = withoutRepeated(planned, same);
  const callsByTrace = Map.groupBy(calls.calls, ({ node }) => node.trace_id);
  const callsOf = (trace_id: string): NewCall[] =>
    (callsByTrace.get(trace_id) ?? []).map(({ call }) => call);
  await startRunsOfTraces(recording, batch, settled, { masker, callsOf });
  const telemetry = telemetryOf(changed, recorded, calls.spans, { settled, callsOf });
  const callIds = await addTelemetry(recording, telemetry);
  await fillToolCalls(recording, repeated, runs);
  const stored = telemetry.flatMap(({ calls: ofRun = [] }) => ofRun);
  const ids = new Map(stored.map((call, i) => [call, callIds[i] as number]));
  const { changes, linked } = await linkCalls(recording, tenantId, calls, { ids, first });
  const runIds = [...new Set([...runs.values()].map(({ id }) => id))];
  await scoreCalls(recording, tenantId, changes, { spans: recorded, runIds });
  await saveSpans(recording, { tenantId, at, traces, changed, runs, linked });
  const rejected = [...batch.rejected, ...admitted.rejected];
  const { unmapped = [] } = batch;
  const counts = countUnmapped(tenantId, { spans, rejected, unmapped }, at);
  await storeUnmapped(recording, tenantId, counts);
  recording.emptiesTotals ||= settled.moved || calls.removed || same.withdrawn.length > 0;
  return { traced: telemetry, refusals: admitted.refusals };
}

/** Joins duplicates, and sorts the spans by end, the order in which calls are listed. */
function distinct(spans: readonly PreparedSpan[]): PreparedSpan[] {
  const byId = new Map<string, PreparedSpan>();
  for (const span of spans) {
    const key = nodeKey(span.node.trace_id, span.node.span_id);
    const known = byId.get(key);
    byId.set(key, known ? joinSpans(known, span) : span);
  }
  return [...byId.values()].sort((a, b) => a.span.ended_at - b.span.ended_at);
}

interface Inserted {
  /** The spans of new traces, which are stored together with their calls. */
  first: Node[];
  added: PreparedSpan[];
  /** Stored spans whose repeated reports add information to a stored call. */
  joined: JoinedCall[];
  /** Added spans that replace what their log records announced. */
  arrived: ArrivedSpan[];
}

/**
 * Inserts the new spans. `begun` are the traces that have stored spans; in other traces all spans
 * are new.
 */
async function insertNew(
  recording: Recording,
  tenantId: string,
  spans: readonly PreparedSpan[],
  begun: ReadonlySet<string>,
): Promise<Inserted> {
  const hasStoredTrace = ({ node }: PreparedSpan): boolean => begun.has(node.trace_id);
  const known = spans.filter(hasStoredTrace);
  const nodesOf = (of: readonly PreparedSpan[]): Node[] => of.map(({ node }) => node);
  const first = nodesOf(spans.filter((span) => !hasStoredTrace(span)));
  const isNew = await insertNodes(recording, tenantId, nodesOf(known));
  const repeated = known.filter((_, index) => !isNew[index]);
  const arrived = await findArrivedSpans(recording, tenantId, repeated);
  const joined = await findJoinedCalls(recording, tenantId, repeated);
  const old = new Set(repeated);
  return {
    first,
    added: [...spans.filter((span) => !old.has(span)), ...arrived.map(({ span }) => span)],
    joined,
    arrived,
  };
}

/**
 * Adds the texts of twins to calls: two instrumentations may report the same call as siblings, and
 * one of them, such as Anthropic's own client, may lack the texts. The first report is kept and
 * gets the information of the others.
 */
function withTextsOfDuplicates(calls: readonly CallOfNode[]): CallOfNode[] {
  const byResponse = Map.groupBy(calls, ({ call }) => call.response_id ?? undefined);
  return calls.map(({ node, call }) => {
    const twins = byResponse.get(call.response_id ?? undefined) ?? [];
    if (!call.response_id || twins.length < 2 || twins[0]?.call !== call) return { node, call };
    return { node, call: twins.reduce((joined, twin) => joinCalls(joined, twin.call), call) };
  });
}

/** Drops calls that were already recorded from another source. Their spans are kept. */
const withoutRepeated = (planned: RevisedCalls, { repeated }: SameCalls): RevisedCalls => ({
  ...planned,
  calls: planned.calls.filter(({ call }) => !repeated.has(call)),
});

/** Merges the facts of each trace with those of its new spans. */
function changedTraces(rows: readonly TraceRow[], spans: readonly PreparedSpan[]): ChangedTrace[] {
  const byTrace = Map.groupBy(spans, ({ node }) => node.trace_id);
  return rows.flatMap(({ trace_id, run_id, facts: stored, state }) => {
    const fresh = byTrace.get(trace_id) ?? [];
    if (fresh.length === 0) return [];
    const allFacts = fresh.map(({ facts }) => facts);
    if (stored !== null) allFacts.push(JSON.parse(stored) as TraceFacts);
    const facts = joinAllFacts(allFacts);
    return {
      trace_id,
      run_id,
      facts,
      closed: run_id !== null && (state === 'complete' || state === 'settled'),
      has_work: fresh.some(({ work }) => work),
      payload: payloadOf(facts, fresh),
    };
  });
}

/**
 * Returns the new input and output of a run. They are those of its root span, unless other spans
 * contain the prompt and the answer.
 */
function payloadOf(facts: TraceFacts, fresh: readonly PreparedSpan[]): Payload {
  const { top, prompt, answer } = facts;
  const find = (span_id: string, role?: 'prompt' | 'answer') =>
    fresh.find(
      ({ node, span }) => node.span_id === span_id && (!role || span.client?.role === role),
    );
  const root = find(top.value.span_id);
  const asked = prompt ? find(prompt.value, 'prompt') : root;
  const answered = answer ? find(answer.value, 'answer') : root;
  return {
    ...(asked && { inputs: asked.work?.payloadOf().inputs ?? null }),
    ...(answered && { result: answered.work?.payloadOf().result ?? null }),
  };
}

function telemetryOf(
  traces: readonly ChangedTrace[],
  spans: readonly PreparedSpan[],
  wrappers: RevisedCalls['spans'],
  { settled, callsOf }: { settled: SettledRuns; callsOf: (trace_id: string) => NewCall[] },
): Traced[] {
  const { runs, starting, ended } = settled;
  const spansOf = Map.groupBy(spans, ({ node }) => node.trace_id);
  const wrappersOf = Map.groupBy(wrappers, ({ trace_id }) => trace_id);
  return traces.flatMap(({ trace_id, facts }) => {
    const run = runs.get(trace_id);
    if (!run) return [];
    const works = (spansOf.get(trace_id) ?? []).flatMap(({ work }) => work ?? []);
    const wrapping = (wrappersOf.get(trace_id) ?? []).map(({ span }) => span);
    return {
      run,
      began: starting.has(trace_id),
      ended: ended.has(trace_id),
      isCounted: starting.has(trace_id),
      at: facts.ended_at,
      calls: callsOf(trace_id),
      spans: [...works.flatMap(({ behavior }) => behavior ?? []), ...wrapping],
      scores: works.flatMap(({ scores }) => scores),
    };
  });
}

interface Saved {
  tenantId: string;
  at: number;
  traces: LockedTraces;
  changed: readonly ChangedTrace[];
  runs: ReadonlyMap<string, RunRef>;
  /** The spans of new traces. */
  linked: readonly Node[];
}

/** Saves the traces, and the spans of new traces, either with their trace or as rows. */
async function saveSpans(recording: Recording, saved: Saved): Promise<void> {
  const { tenantId, at, traces, changed, runs, linked } = saved;
  const spansOf = Map.groupBy(linked, ({ trace_id }) => trace_id);
  const isChanged = new Set(changed.map(({ trace_id }) => trace_id));
  const asRows: Node[] = [];
  const rows = changed.map((trace) => {
    const own = spansOf.get(trace.trace_id) ?? [];
    const spans = spanListOf(own);
    if (spans === null) asRows.push(...own);
    return { ...rowOf(tenantId, runs, trace), seen_at: at, spans };
  });
  const seen = traces.rows
    .filter(({ trace_id }) => traces.stored.has(trace_id) && !isChanged.has(trace_id))
    .map((row) => ({ ...row, seen_at: at, spans: null }));
  await insertFirstNodes(recording, tenantId, asRows);
  await saveTraces(recording, [...rows, ...seen], traces.stored);
}

function rowOf(
  tenant_id: string,
  runs: ReadonlyMap<string, RunRef>,
  { trace_id, facts, closed }: ChangedTrace,
) {
  const run_id = runs.get(trace_id)?.id ?? null;
  const isOver = closed || facts.top.value.is_root;
  const state = run_id === null ? 'plain' : isOver ? 'complete' : 'open';
  return { tenant_id, trace_id, run_id, facts: JSON.stringify(facts), state } as const;
}
