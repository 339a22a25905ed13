import { MINUTE_MS } from '#lib/time-units.ts';
import type { Recording } from '../../recording/queries.ts';
import type { Tables } from '../../storage/tables.ts';
import type { RunRef } from '../../usage/count.ts';
import {
  setTraceState,
  closeRuns,
  deleteLeaves,
  deleteSpans,
  deleteTraces,
  type Trace,
} from './maintenance-queries.ts';

/** The time without new spans after which the root span of a trace is no longer expected. */
const OPEN_MS = 10 * MINUTE_MS;
/** How long spans without AI work are kept, because their children may arrive later. */
const PLAIN_MS = 60 * MINUTE_MS;

/** An action on traces of one state, after a period of silence. */
export interface MaintenanceStep {
  state: Tables['otel_traces']['state'];
  idleMs: number;
  /** Whether the step only applies to traces whose run was deleted. */
  orphans: boolean;
  /** Processes one batch; returns the runs that ended. */
  work(recording: Recording, tenantId: string, traces: readonly Trace[]): Promise<RunRef[]>;
}

/**
 * Ends runs without a root span, deletes traces without AI work, and reduces completed traces to
 * the spans that are needed to detect repeated spans and to build the tree. These are kept as long
 * as the run.
 */
export const maintenanceSteps: readonly MaintenanceStep[] = [
  { state: 'open', idleMs: OPEN_MS, orphans: false, work: close },
  { state: 'plain', idleMs: PLAIN_MS, orphans: false, work: remove },
  { state: 'complete', idleMs: PLAIN_MS, orphans: false, work: markSettled },
  { state: 'settled', idleMs: PLAIN_MS, orphans: true, work: remove },
];

async function close(
  recording: Recording,
  tenantId: string,
  traces: readonly Trace[],
): Promise<RunRef[]> {
  await setTraceState(recording, tenantId, traces, 'complete');
  return closeRuns(recording, tenantId, traces);
}

async function remove(
  recording: Recording,
  tenantId: string,
  traces: readonly Trace[],
): Promise<RunRef[]> {
  const isEmpty = await deleteSpans(recording, tenantId, traces);
  if (isEmpty) await deleteTraces(recording, tenantId, traces);
  return [];
}

async function markSettled(
  recording: Recording,
  tenantId: string,
  traces: readonly Trace[],
): Promise<RunRef[]> {
  const isDone = await deleteLeaves(recording, tenantId, traces);
  if (isDone) await setTraceState(recording, tenantId, traces, 'settled');
  return [];
}
