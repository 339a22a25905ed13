import type { FlowReport } from '#contract/flows.ts';
import type { AppReport } from '#contract/inventory.ts';
import type { Merging } from '../storage/bulk.ts';

/**
 * Returns the identity of an app across scans, independent of its version and evidence. Parts are
 * joined by NUL, the only character that paths cannot contain.
 */
export const appIdentity = (deviceId: string, app: AppReport): string =>
  [deviceId, app.kind, app.catalog_id ?? '', app.name, app.path, app.user ?? ''].join('\0');

/**
 * Limits times to `now`, because the clock of a device may be ahead, and future entries would be at
 * the top of every list until their time has passed.
 */
export function clampTimes<T extends { started_at: number; ended_at: number | null }>(
  report: T,
  now: number,
): T {
  const started_at = Math.min(report.started_at, now);
  // A clock that was set back in between must not result in a negative duration.
  const ended_at =
    report.ended_at === null ? null : Math.max(started_at, Math.min(report.ended_at, now));
  return { ...report, started_at, ended_at };
}

/** Corrects the times of a flow, and puts its host in lower case, which searches use. */
export const correctFlow = (flow: FlowReport, now: number): FlowReport => ({
  ...clampTimes(flow, now),
  host: flow.host?.toLowerCase() ?? null,
});

/**
 * Merges reports of one flow. They arrive late, twice and in any order, and do not say which is the
 * latest, so merging is commutative. Each field keeps its best value: known over null, the first
 * start and end, the most bytes. If two reports name different processes, the choice is arbitrary
 * but deterministic.
 */
export const flowMerging = {
  key: ['tenant_id', 'device_id', 'id'],
  add: [],
  min: ['pid', 'port', 'started_at', 'ended_at'],
  max: ['bytes_in', 'bytes_out'],
  first: ['app_id', 'process', 'path', 'user', 'host', 'address', 'protocol'],
  settled: ['started_at', 'process', 'host'],
} as const satisfies Merging<'flows'>;

/** Merges the reports of a gap that continues across reports. */
export const gapMerging = {
  key: ['tenant_id', 'device_id', 'started_at', 'reason'],
  add: [],
  max: ['ended_at'],
} as const satisfies Merging<'observation_gaps'>;

/**
 * Merges reports of a pause, which is reported when it begins and when it ends, and possibly
 * repeatedly.
 */
export const pauseMerging = {
  key: ['tenant_id', 'device_id', 'id'],
  add: [],
  min: ['started_at', 'minutes', 'ended_at'],
  first: ['user', 'ended_by'],
} as const satisfies Merging<'capture_pauses'>;

/**
 * Merges reports of an app. A known app keeps its id and the time it was first seen, and the latest
 * scan provides its description.
 */
export const appMerging = {
  key: ['tenant_id', 'id'],
  add: [],
  min: ['first_seen'],
  set: ['group_id', 'catalog_id', 'version', 'confidence', 'evidence', 'risk_flags', 'last_seen'],
} as const satisfies Merging<'apps'>;
