import type { AppReport, FlowReport } from '#contract/fleet.ts';

/**
 * What makes an app the same app at the next scan: a new version, or more evidence, is still
 * the same app. Paths may hold any character but NUL, so that joins the parts without doubt.
 */
export const appIdentity = (deviceId: string, app: AppReport): string =>
  [deviceId, app.kind, app.catalog_id ?? '', app.name, app.path, app.user ?? ''].join('\0');

/** A device's clock may be ahead; a flow of the future would head every list until it is past. */
export const notInTheFuture = (flow: FlowReport, now: number): FlowReport => ({
  ...flow,
  started_at: Math.min(flow.started_at, now),
  ended_at: flow.ended_at === null ? null : Math.min(flow.ended_at, now),
});

/** A device cannot have applied what does not exist yet, whatever it says. */
export const believableVersion = (reported: number, newest: number): number =>
  Math.min(reported, newest);
