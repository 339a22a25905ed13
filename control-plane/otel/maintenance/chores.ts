import type { Recording } from '../../recording/queries.ts';
import type { Tables } from '../../storage/tables.ts';
import type { RunRef } from '../../usage/count.ts';
import {
  advance,
  closeRuns,
  deleteSpans,
  deleteTraces,
  type Trace,
} from './maintenance-queries.ts';

const MINUTE_MS = 60_000;
/** For so long a trace may be silent before its uppermost span is no longer waited for. */
const OPEN_MS = 10 * MINUTE_MS;
/** For so long spans that are no work of an AI agent are remembered: others may be below them. */
const PLAIN_MS = 60 * MINUTE_MS;

/** What is done with traces of one state when nothing has come to them for so long. */
export interface MaintenanceStep {
  state: Tables['otel_traces']['state'];
  silentMs: number;
  /** Only with those whose run is gone. */
  orphans: boolean;
  /** Does some of it; answers the runs that ended with it. */
  work(recording: Recording, tenantId: string, traces: readonly Trace[]): Promise<RunRef[]>;
}

/**
 * Runs that nobody completes are ended, traces without any work of an AI agent are forgotten, and of
 * those that ended long ago only what tells repeated spans is kept, for as long as there is a run.
 */
export const maintenanceSteps: readonly MaintenanceStep[] = [
  { state: 'open', silentMs: OPEN_MS, orphans: false, work: close },
  { state: 'plain', silentMs: PLAIN_MS, orphans: false, work: forget },
  { state: 'complete', silentMs: PLAIN_MS, orphans: false, work: settle },
  { state: 'settled', silentMs: PLAIN_MS, orphans: true, work: forget },
];

async function close(
  recording: Recording,
  tenantId: string,
  traces: readonly Trace[],
): Promise<RunRef[]> {
  await advance(recording, tenantId, traces, 'complete');
  return closeRuns(recording, tenantId, traces);
}

async function forget(
  recording: Recording,
  tenantId: string,
  traces: readonly Trace[],
): Promise<RunRef[]> {
  const isEmpty = await deleteSpans(recording, tenantId, traces);
  if (isEmpty) await deleteTraces(recording, tenantId, traces);
  return [];
}

async function settle(
  recording: Recording,
  tenantId: string,
  traces: readonly Trace[],
): Promise<RunRef[]> {
  const isDone = await deleteSpans(recording, tenantId, traces, 'plain');
  if (isDone) await advance(recording, tenantId, traces, 'settled');
  return [];
}
