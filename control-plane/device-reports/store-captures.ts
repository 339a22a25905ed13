import type { CaptureReport } from '#contract/captures.ts';
import type { Context } from '../context.ts';
import type { DeviceCaller } from '../http/caller.ts';
import type { RunTelemetry } from '../recording/telemetry-queries.ts';
import { type Batch, isDuplicate } from './queries.ts';
import { clampTimes } from './rules.ts';
import type { StoredReport } from './write.ts';
import { findAgentRules } from '../captures/agent-queries.ts';
import { agentOf, appOf } from '../captures/agent-rules.ts';
import { type CaptureSettings, prepareCapture } from '../captures/captured-call.ts';
import { findDeviceAttribution } from '../captures/call-queries.ts';
import { findCaptureHistory } from '../captures/queries.ts';
import { admitCaptures } from '../captures/rules.ts';

interface CaptureResult extends StoredReport {
  refused: { id: string; reason: string }[];
}

const ALREADY_STORED: CaptureResult = { accepted: 0, duplicate: true, refused: [] };

/**
 * Masks and stores the captures of a batch that the device was allowed to make, and records runs
 * for those that are LLM calls.
 */
export async function storeCaptures(
  context: Context,
  batch: Batch,
  captures: readonly CaptureReport[],
): Promise<CaptureResult> {
  const { storage } = context;
  const { device } = batch;
  // This check avoids expensive work early. Concurrent duplicates are detected when storing.
  if (await isDuplicate(storage.db, batch)) return ALREADY_STORED;
  const now = context.now();
  const past = captures.map((capture) => clampTimes(capture, now));
  const first = Math.min(now, ...past.map(({ started_at }) => started_at));
  const history = await findCaptureHistory(storage.db, device, first);
  const { admitted, refused } = admitCaptures(past, history);
  const settings = await settingsOf(context, device, { captures: admitted, now });
  const prepared = admitted.map((capture) => prepareCapture(settings, capture));
  const { runs = [], ...stored } = await context.takeBatch({
    ...batch,
    at: now,
    captures: prepared,
  });
  await notifyChanges(context, device, runs);
  return stored.duplicate ? ALREADY_STORED : { ...stored, refused };
}

async function settingsOf(
  { storage, maskerOf, pricerOf }: Context,
  device: DeviceCaller,
  { captures, now }: { captures: readonly CaptureReport[]; now: number },
): Promise<CaptureSettings> {
  const apps = [...new Set(captures.flatMap((capture) => appOf(capture) ?? []))];
  const rules = await findAgentRules(storage.db, device, apps);
  return {
    device,
    attribution: await findDeviceAttribution(storage.db, device),
    agentOf: (origin) => agentOf(rules, origin),
    price: await pricerOf(device.tenantId),
    masker: await maskerOf(device.tenantId),
    now,
  };
}

/**
 * Notifies clients, and evaluates policies for the finished runs. The captures are already stored,
 * so a failure here must not make the device retry.
 */
async function notifyChanges(
  { storage, governance, log }: Context,
  { tenantId: tenant_id }: DeviceCaller,
  runs: readonly RunTelemetry[],
): Promise<void> {
  if (runs.length > 0) storage.signals.publish({ tenant_id, topic: 'runs' });
  for (const run of runs)
    await governance
      .onTrace({ ...run, began: true, ended: true })
      .catch((error: unknown) => log.error({ err: error }, 'policy evaluation failed'));
}
