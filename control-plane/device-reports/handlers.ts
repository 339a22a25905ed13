import type { deviceRoutes } from '#contract/device.ts';
import type { Context } from '../context.ts';
import type { DeviceCaller } from '../http/caller.ts';
import type { Handlers } from '../http/handler.ts';
import { takeCaptures } from '../captures/take-captures.ts';
import { configOfDevice } from '../guard/device-config.ts';
import { configVersion } from '../guard/queries.ts';
import { storeGaps, storePauses, touchDevice } from './queries.ts';
import { gapRow, pauseRow, refusalsText } from './rows.ts';
import { believableVersion } from './rules.ts';
import { takeBatch } from './write.ts';

type ReportRoutes = Pick<
  Handlers<typeof deviceRoutes>,
  'getConfig' | 'reportInventory' | 'reportFlows' | 'reportCaptures' | 'heartbeat'
>;

export const reportHandlers: ReportRoutes = {
  async getConfig(context, { caller }) {
    await touchDevice(context.storage.db, caller, { last_seen: context.now() });
    return configOfDevice(context.storage.db, caller.tenantId, caller.deviceId);
  },

  async reportInventory(context, { caller, body }) {
    const { batch_id, apps, not_read: notRead } = body;
    const result = await takeBatch(context.storage, {
      ...of(context, caller, batch_id),
      apps,
      ...(notRead && { notRead }),
    });
    announce(context, caller, 'apps');
    return result;
  },

  async reportFlows(context, { caller, body }) {
    const { batch_id, flows } = body;
    const result = await takeBatch(context.storage, { ...of(context, caller, batch_id), flows });
    announce(context, caller, 'flows');
    return result;
  },

  async reportCaptures(context, { caller, body }) {
    const batch = { device: caller, batchId: body.batch_id };
    const answer = await takeCaptures(context, batch, body.captures);
    announce(context, caller, 'captures');
    return answer;
  },

  async heartbeat(context, { caller, body }) {
    const { db } = context.storage;
    const config_version = await configVersion(db, caller.tenantId);
    const now = context.now();
    const gaps = (body.not_observed ?? []).map((gap) => gapRow(caller, gap, now));
    await storeGaps(context.storage, gaps);
    const pauses = (body.pauses ?? []).map((pause) => pauseRow(caller, pause, now));
    await storePauses(context.storage, pauses);
    await touchDevice(db, caller, {
      last_seen: now,
      agent_version: body.agent_version,
      applied_version: believableVersion(body.applied_version, config_version),
      queued: body.queued,
      dropped: body.dropped,
      problems: JSON.stringify(body.problems),
      certificate_refusals: refusalsText(body.certificate_refusals ?? [], now),
    });
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
