import type { deviceRoutes } from '#contract/device-protocol.ts';
import type { Context } from '../context.ts';
import { storeCaptures } from './store-captures.ts';
import type { DeviceCaller } from '../http/caller.ts';
import type { Handlers } from '../handler.ts';
import { configOfDevice } from '../guard/device-config.ts';
import { configVersion } from '../tenants/config-version.ts';
import { storeGaps, storePauses, touchDevice } from './queries.ts';
import { gapRow, pauseRow, refusalsText } from './rows.ts';
import { clampVersion } from '../guard/device-config-rules.ts';

type ReportRoutes = Pick<
  Handlers<typeof deviceRoutes>,
  'getConfig' | 'reportInventory' | 'reportFlows' | 'reportCaptures' | 'heartbeat'
>;

export const reportHandlers: ReportRoutes = {
  async getConfig(context, { caller }) {
    const { db, transaction } = context.storage;
    await transaction((tx) => touchDevice(tx, caller, { last_seen: context.now() }));
    return configOfDevice(db, caller.tenantId, caller.deviceId);
  },

  async reportInventory(context, { caller, body }) {
    const { batch_id, apps, not_read: notRead } = body;
    const result = await context.takeBatch({
      ...of(context, caller, batch_id),
      apps,
      ...(notRead && { notRead }),
    });
    announce(context, caller, 'apps');
    return result;
  },

  async reportFlows(context, { caller, body }) {
    const { batch_id, flows } = body;
    const result = await context.takeBatch({ ...of(context, caller, batch_id), flows });
    announce(context, caller, 'flows');
    return result;
  },

  async reportCaptures(context, { caller, body }) {
    const batch = { device: caller, batchId: body.batch_id };
    const answer = await storeCaptures(context, batch, body.captures);
    announce(context, caller, 'captures');
    return answer;
  },

  async heartbeat(context, { caller, body }) {
    const { db, transaction } = context.storage;
    const config_version = await configVersion(db, caller.tenantId);
    const now = context.now();
    const gaps = (body.not_observed ?? []).map((gap) => gapRow(caller, gap, now));
    await storeGaps(context.storage, gaps);
    const pauses = (body.pauses ?? []).map((pause) => pauseRow(caller, pause, now));
    await storePauses(context.storage, pauses);
    const activity = {
      last_seen: now,
      agent_version: body.agent_version,
      applied_version: clampVersion(body.applied_version, config_version),
      queued: body.queued,
      dropped: body.dropped,
      problems: JSON.stringify(body.problems),
      certificate_refusals: refusalsText(body.certificate_refusals ?? [], now),
    };
    await transaction((tx) => touchDevice(tx, caller, activity));
    announce(context, caller, 'devices');
    return { config_version };
  },
};

const of = (context: Context, device: DeviceCaller, batchId: string) => ({
  device,
  batchId,
  at: context.now(),
});

function announce(
  context: Context,
  { tenantId, deviceId }: DeviceCaller,
  topic: 'apps' | 'flows' | 'captures' | 'devices',
): void {
  context.storage.signals.publish({ tenant_id: tenantId, topic, device_id: deviceId });
}
