import { createHash } from 'node:crypto';
import type { deviceRoutes } from '#contract/device.ts';
import type { Context } from '../../context.ts';
import type { DeviceCaller, Handlers } from '../../http/call.ts';
import type { Db } from '../../storage/open.ts';
import { configOfDevice } from '../guard/device-config.ts';
import { configVersion } from '../guard/queries.ts';
import { claimBatch, touchDevice, upsertApp, upsertFlow } from './queries.ts';
import { appIdentity, believableVersion, notInTheFuture } from './rules.ts';

type ReportRoutes = Pick<
  Handlers<typeof deviceRoutes>,
  'getConfig' | 'reportInventory' | 'reportFlows' | 'heartbeat'
>;

export const reportHandlers: ReportRoutes = {
  async getConfig(context, { caller }) {
    await touchDevice(context.storage.db, caller, { last_seen: context.now() });
    return configOfDevice(context.storage.db, caller.tenantId, caller.deviceId);
  },

  async reportInventory(context, { caller, body }) {
    const now = context.now();
    const duplicate = await takeBatch(context, caller, body.batch_id, async (db) => {
      for (const app of body.apps) {
        const id = `app_${sha256(appIdentity(caller.deviceId, app)).slice(0, 26)}`;
        await upsertApp(db, caller, { ...app, id }, now);
      }
      await touchDevice(db, caller, { last_seen: now, scanned_at: now });
    });
    announce(context, caller, 'apps');
    return { accepted: duplicate ? 0 : body.apps.length, duplicate };
  },

  async reportFlows(context, { caller, body }) {
    const now = context.now();
    const duplicate = await takeBatch(context, caller, body.batch_id, async (db) => {
      for (const flow of body.flows) await upsertFlow(db, caller, notInTheFuture(flow, now));
      await touchDevice(db, caller, { last_seen: now });
    });
    announce(context, caller, 'flows');
    return { accepted: duplicate ? 0 : body.flows.length, duplicate };
  },

  async heartbeat(context, { caller, body }) {
    const { db } = context.storage;
    const config_version = await configVersion(db, caller.tenantId);
    await touchDevice(db, caller, {
      last_seen: context.now(),
      agent_version: body.agent_version,
      applied_version: believableVersion(body.applied_version, config_version),
      problems: JSON.stringify(body.problems),
    });
    announce(context, caller, 'devices');
    return { config_version };
  },
};

/** Stores a batch once: claim and contents are one transaction. */
async function takeBatch(
  context: Context,
  device: DeviceCaller,
  batchId: string,
  store: (db: Db) => Promise<void>,
): Promise<boolean> {
  return context.storage.db.transaction().execute(async (trx) => {
    if (!(await claimBatch(trx, device, batchId, context.now()))) return true;
    await store(trx);
    return false;
  });
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function announce(
  context: Context,
  { tenantId, deviceId }: DeviceCaller,
  topic: 'apps' | 'flows' | 'devices',
): void {
  context.storage.signals.publish({ tenant_id: tenantId, topic, device_id: deviceId });
}
