import { createHash } from 'node:crypto';
import { ApiError } from '#contract/errors.ts';
import { withBlocked } from '#domain/guard/blocked-processes.ts';
import { resolveGuard } from '#domain/guard/cascade.ts';
import type { Context } from '../context.ts';
import { findGuardTarget, listLayers } from '../guard/queries.ts';
import { bumpConfigVersion, type ConfigReach } from '../tenants/config-version.ts';
import type { Db } from '../storage/open.ts';
import type { Tx } from '../storage/transaction.ts';
import { listBlocksOfDevice } from '../guard/block-queries.ts';
import { namesInOrder } from '../guard/block-view.ts';

/**
 * The group of a row that marks a device whose blocks have changed, among the pending app changes.
 * Its token is a hash of the blocks that were last sent to the device.
 */
const NO_GROUP = '';

/** Records the current blocks of a device before they change. */
export async function recordBlocksBefore(tx: Tx, tenantId: string, deviceId: string) {
  const known = await tx.db
    .selectFrom('app_changes')
    .select('token')
    .where('tenant_id', '=', tenantId)
    .where('group_id', '=', NO_GROUP)
    .where('device_id', '=', deviceId)
    .executeTakeFirst();
  if (known) return;
  const token = await hashOfBlocks(tx.db, tenantId, deviceId);
  await tx.db
    .insertInto('app_changes')
    .values({ tenant_id: tenantId, group_id: NO_GROUP, device_id: deviceId, token })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns a hash of everything that Guard blocks on a device. */
async function hashOfBlocks(db: Db, tenantId: string, device: string): Promise<string> {
  const known = await findGuardTarget(db, tenantId, device).catch(undefinedIfNotFound);
  if (!known) return '';
  const { user_group, profileHosts } = known;
  const layers = await listLayers(db, tenantId);
  const target = { device, ...(user_group !== undefined && { user_group }) };
  const { effective } = resolveGuard(layers, target, profileHosts);
  const names = namesInOrder(await listBlocksOfDevice(db, tenantId, device));
  const { blocked_processes } = withBlocked(effective, names);
  return createHash('sha256').update(JSON.stringify(blocked_processes)).digest('hex');
}

function undefinedIfNotFound(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
}

/** The number of devices above which earlier blocks are not compared, and all count as changed. */
const MAX_COMPARED = 100;
/** The number of devices above which the configuration is pushed to every device of the tenant. */
const MAX_PUSHED = 100;

/**
 * Increments the configuration version if the blocks of any device have changed, and pushes the
 * configuration to these devices.
 */
export async function pushChangedBlocks(context: Context, tenantId: string): Promise<void> {
  const { storage } = context;
  const changed = await storage.transaction(async (tx) => {
    const due = await takeDue(tx, tenantId);
    const devices: string[] = [];
    for (const { device_id, token } of due) {
      const isSame =
        due.length <= MAX_COMPARED && (await hashOfBlocks(tx.db, tenantId, device_id)) === token;
      if (!isSame) devices.push(device_id);
    }
    // This comes last, because all other configuration changes wait from here on.
    if (devices.length > 0) await bumpConfigVersion(tx, tenantId, reachOf(devices));
    return devices;
  });
  const to = changed.length > MAX_PUSHED ? [undefined] : changed;
  for (const device_id of to)
    storage.signals.publish({
      tenant_id: tenantId,
      topic: 'guard',
      ...(device_id !== undefined && { device_id }),
    });
}

const reachOf = (devices: readonly string[]): ConfigReach =>
  devices.length > MAX_PUSHED ? { kind: 'fleet' } : { kind: 'devices', ids: devices };

const takeDue = (tx: Tx, tenantId: string) =>
  tx.db
    .deleteFrom('app_changes')
    .where('tenant_id', '=', tenantId)
    .where('group_id', '=', NO_GROUP)
    .returning(['device_id', 'token'])
    .execute();

/** Whether any device has blocks that were not sent to it yet. */
export async function areBlocksDue(db: Db, tenantId: string): Promise<boolean> {
  const row = await db
    .selectFrom('app_changes')
    .select('device_id')
    .where('tenant_id', '=', tenantId)
    .where('group_id', '=', NO_GROUP)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
