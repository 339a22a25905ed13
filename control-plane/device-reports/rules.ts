import type { AppReport, FlowReport } from '#contract/fleet.ts';
import type { Merging } from '../storage/bulk.ts';

/**
 * What makes an app the same app at the next scan: a new version, or more evidence, is still
 * the same app. Paths may hold any character but NUL, so that joins the parts without doubt.
 */
export const appIdentity = (deviceId: string, app: AppReport): string =>
  [deviceId, app.kind, app.catalog_id ?? '', app.name, app.path, app.user ?? ''].join('\0');

/** A device's clock may be ahead; what is of the future would head every list until it is past. */
export function notInTheFuture<T extends { started_at: number; ended_at: number | null }>(
  report: T,
  now: number,
): T {
  const started_at = Math.min(report.started_at, now);
  // A clock that was set back in between must not make anything last less than nothing.
  const ended_at =
    report.ended_at === null ? null : Math.max(started_at, Math.min(report.ended_at, now));
  return { ...report, started_at, ended_at };
}

/** Hosts are found by their name in lower case. */
export const believableFlow = (flow: FlowReport, now: number): FlowReport => ({
  ...notInTheFuture(flow, now),
  host: flow.host?.toLowerCase() ?? null,
});

/**
 * Reports of one flow come late, twice and in any order, and nothing in them says which is the
 * latest. So for every field there is one best value, and whatever came, in whichever order, leaves
 * the best of all: what is known rather than null, the first start and end, the most bytes. Should
 * two reports name different processes, it is as good as chance which of them stays, but always the
 * same.
 */
export const flowMerging = {
  key: ['tenant_id', 'device_id', 'id'],
  add: [],
  min: ['pid', 'port', 'started_at', 'ended_at'],
  max: ['bytes_in', 'bytes_out'],
  first: ['app_id', 'process', 'path', 'user', 'host', 'address', 'protocol'],
  settled: ['started_at', 'process', 'host'],
} as const satisfies Merging<'flows'>;

/** A time that went on while it was told of is one. */
export const gapMerging = {
  key: ['tenant_id', 'device_id', 'started_at', 'reason'],
  add: [],
  max: ['ended_at'],
} as const satisfies Merging<'observation_gaps'>;

/** A pause is told of when it begins and when it is over, and each as often as it takes. */
export const pauseMerging = {
  key: ['tenant_id', 'device_id', 'id'],
  add: [],
  min: ['started_at', 'minutes', 'ended_at'],
  first: ['user', 'ended_by'],
} as const satisfies Merging<'capture_pauses'>;

/** An app that was seen before keeps its id and its first sight; the latest scan describes it. */
export const appMerging = {
  key: ['tenant_id', 'id'],
  add: [],
  min: ['first_seen'],
  set: ['group_id', 'catalog_id', 'version', 'confidence', 'evidence', 'risk_flags', 'last_seen'],
} as const satisfies Merging<'apps'>;

/** A device cannot have applied what does not exist yet, whatever it says. */
export const believableVersion = (reported: number, newest: number): number =>
  Math.min(reported, newest);
