import type { Masker } from '../../settings/masking/masker.ts';
import { attributeRun } from '../../recording/attribution-queries.ts';
import {
  type NewCall,
  pairKey,
  type Recording,
  startRuns,
  workflowsOf,
} from '../../recording/queries.ts';
import { totalsOf } from '../../recording/run-totals.ts';
import { countDuration, type RunRef } from '../../usage/count.ts';
import { runOfTrace, type MappedRun } from '../run-of-trace.ts';
import type { TraceFacts } from '../trace-facts.ts';
import { durationOf, findStoredRuns, progressRun, type StoredRun } from './run-queries.ts';

export interface RecordingDevice {
  deviceId: string;
  userGroup: string | null;
  /**
   * The user of runs whose client names none; null if the device's account is not that of a person.
   */
  user: string | null;
}

/** The tenant of the traces, and the device of the recording key. */
interface Recorder {
  tenantId: string;
  device?: RecordingDevice;
  keyId?: string;
}

/** A trace with new spans. */
export interface ChangedTrace {
  trace_id: string;
  run_id: number | null;
  facts: TraceFacts;
  /** True if the root span is no longer expected. */
  closed: boolean;
  /** True if the trace has new spans of an AI agent. */
  has_work: boolean;
  /** The input and output of the run, as far as the new spans contain them. */
  payload: Payload;
}

export interface Payload {
  inputs?: string | null;
  result?: string | null;
}

export interface SettledRuns {
  /** The run of each trace that has one. */
  runs: Map<string, RunRef>;
  /** The traces that become runs. */
  starting: ReadonlyMap<string, ChangedTrace>;
  moved: boolean;
  ended: Set<string>;
}

/**
 * Updates the runs of traces. Returns them, and the traces whose run ended. `moved` means that
 * totals moved from one agent, session or user to another.
 */
export async function settleRuns(
  recording: Recording,
  tenantId: string,
  traces: readonly ChangedTrace[],
  masker: Masker,
): Promise<SettledRuns> {
  const stored = await findStoredRuns(
    recording,
    tenantId,
    traces.flatMap(({ run_id }) => run_id ?? []),
  );
  const runs = new Map<string, RunRef>();
  const starting = new Map<string, ChangedTrace>();
  const ended = new Set<string>();
  let moved = false;
  for (const trace of traces) {
    const run = trace.run_id === null ? undefined : stored.get(trace.run_id);
    if (run) {
      const settled = await settleRun(recording, run, trace, masker);
      runs.set(trace.trace_id, settled.run);
      moved ||= settled.moved;
      if (run.status === 'running' && settled.run.status !== 'running') ended.add(trace.trace_id);
    } else if (trace.has_work) starting.set(trace.trace_id, trace);
  }
  return { runs, starting, moved, ended };
}

/**
 * Starts the runs of the traces that become one. Their totals include their calls, so that no
 * update is needed. Adds these runs to the settled ones.
 */
export async function startRunsOfTraces(
  recording: Recording,
  { tenantId: tenant_id, device, keyId }: Recorder,
  { starting, runs, ended }: SettledRuns,
  { masker, callsOf }: { masker: Masker; callsOf: (trace_id: string) => readonly NewCall[] },
): Promise<void> {
  if (starting.size === 0) return;
  const traces = [...starting.values()];
  const rows = traces.map(({ trace_id, facts, closed, payload }) => {
    const { metadata, ...mapped } = runOfTrace(facts, closed);
    const own = { parent_run_id: null, inputs: null, result: null };
    return {
      tenant_id,
      trace_id,
      ...own,
      device_id: device?.deviceId ?? null,
      api_key_id: keyId ?? null,
      user_group: device?.userGroup ?? null,
      ...mapped,
      user_id: mapped.user_id ?? device?.user ?? null,
      metadata: metadataOf(metadata, masker),
      ...payload,
      ...totalsOf(callsOf(trace_id)),
    };
  });
  const started = await startRuns(recording, rows);
  started.forEach((run, index) => {
    const { trace_id, run_id } = traces[index] as ChangedTrace;
    runs.set(trace_id, run);
    if (run.status !== 'running') ended.add(trace_id);
    // `admitTraces` has reserved new runs. A run that retention deleted is stored again, and counts
    // here.
    if (run_id !== null) recording.quotas.addRun(run.tenant_id);
    const duration = durationOf(rows[index] as (typeof rows)[number]);
    if (duration > 0) countDuration(recording.tally, run, duration);
  });
}

async function settleRun(
  recording: Recording,
  run: StoredRun,
  { facts, closed, payload }: ChangedTrace,
  masker: Masker,
): Promise<{ run: RunRef; moved: boolean }> {
  const mapped = runOfTrace(facts, closed);
  const { metadata, tags, status, started_at, completed_at, error, ...named } = mapped;
  // If the spans name no user, that of the device stays.
  const owner = { ...named, user_id: named.user_id ?? run.user_id };
  const moved = isMoved(run, owner);
  const attributed = moved ? await attribute(recording, run, owner) : run;
  await progressRun(
    recording,
    { ...attributed, completed_at: run.completed_at },
    {
      status,
      started_at,
      completed_at,
      error,
      tags,
      metadata: metadataOf(metadata, masker),
      ...payload,
    },
  );
  return { run: { ...attributed, status, started_at }, moved };
}

type Owner = Pick<MappedRun, 'agent_name' | 'workflow_name' | 'session_id' | 'user_id'>;

const isMoved = (run: StoredRun, owner: Owner): boolean =>
  (Object.keys(owner) as (keyof Owner)[]).some((name) => owner[name] !== run[name]);

async function attribute(recording: Recording, run: StoredRun, owner: Owner): Promise<RunRef> {
  const pair = { tenant_id: run.tenant_id, ...owner };
  const workflows = await workflowsOf(recording, [pair]);
  const workflow_id = workflows.get(pairKey(pair)) as number;
  return attributeRun(recording, run, { ...owner, workflow_id });
}

const metadataOf = (metadata: MappedRun['metadata'], masker: Masker): string =>
  JSON.stringify(masker.mask({ metadata }).metadata);
