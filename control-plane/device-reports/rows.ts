import type { CapturePause } from '#contract/capture-pauses.ts';
import type { CertificateRefusal } from '#contract/captures.ts';
import type { FlowReport, ObservationGap } from '#contract/flows.ts';
import type { AppReport } from '#contract/inventory.ts';
import type { DeviceCaller } from '../http/caller.ts';
import type { Rows } from '../storage/bulk.ts';
import { appGroupId } from '../inventory/app-group.ts';
import { shortHash } from '../lib/ids.ts';
import { appIdentity, correctFlow, clampTimes } from './rules.ts';

export const flowRow = (
  { tenantId, deviceId }: DeviceCaller,
  flow: FlowReport,
  now: number,
): Rows<'flows'>[number] => ({
  ...correctFlow(flow, now),
  tenant_id: tenantId,
  device_id: deviceId,
});

export const appRow = (
  { tenantId, deviceId }: DeviceCaller,
  app: AppReport,
  now: number,
): Rows<'apps'>[number] => ({
  tenant_id: tenantId,
  device_id: deviceId,
  id: `app_${shortHash(appIdentity(deviceId, app))}`,
  group_id: appGroupId(app),
  ...app,
  evidence: JSON.stringify(app.evidence),
  risk_flags: JSON.stringify(app.risk_flags),
  first_seen: now,
  last_seen: now,
});

export const gapRow = (
  { tenantId, deviceId }: DeviceCaller,
  gap: ObservationGap,
  now: number,
): Rows<'observation_gaps'>[number] => ({
  ...clampTimes(gap, now),
  tenant_id: tenantId,
  device_id: deviceId,
});

export const pauseRow = (
  { tenantId, deviceId }: DeviceCaller,
  pause: CapturePause,
  now: number,
): Rows<'capture_pauses'>[number] => ({
  ...clampTimes(pause, now),
  tenant_id: tenantId,
  device_id: deviceId,
});

/** Returns the JSON that is stored with the device. */
export const refusalsText = (refusals: readonly CertificateRefusal[], now: number): string =>
  JSON.stringify(refusals.map((refusal) => ({ ...refusal, since: Math.min(refusal.since, now) })));
