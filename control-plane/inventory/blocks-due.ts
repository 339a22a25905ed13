import { createHash } from 'node:crypto';
import { ApiError } from '#contract/errors.ts';
import { withBlocked } from '#agent/core/blocked-processes.ts';
import { resolveGuard } from '#agent/core/guard.ts';
import type { Context } from '../context.ts';
import { findGuardTarget, listLayers, nextConfigVersion } from '../guard/queries.ts';
import type { Db, Trx } from '../storage/open.ts';
import { listBlocksOfDevice } from './block-queries.ts';
import { namesInOrder } from './block-view.ts';

/**
 * Among the pending app changes, a row without a group marks a device whose blocks have changed. Its
 * token is a hash of the blocks last sent to the device.
 */
const NO_GROUP = '';

/** Records the current blocks of a device before they change. */
export async function noteBlocksChange(trx: Trx, tenantId: string, deviceId: string) {
  const known = await trx
    .selectFrom('app_changes')
    .select('token')
    .where('tenant_id', '=', tenantId)
    .where('group_id', '=', NO_GROUP)
    .where('device_id', '=', deviceId)
    .executeTakeFirst();
  if (known) return;
  const token = await blockedOn(trx, tenantId, deviceId);
  await trx
    .insertInto('app_changes')
    .values({ tenant_id: tenantId, group_id: NO_GROUP, device_id: deviceId, token })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** A hash of everything that Guard blocks on a device. */
async function blockedOn(db: Db, tenantId: string, device: string): Promise<string> {
  const known = await findGuardTarget(db, tenantId, device).catch(nothingIfGone);
  if (!known) return '';
  const { user_group, profileHosts } = known;
  const layers = await listLayers(db, tenantId);
  const target = { device, ...(user_group !== undefined && { user_group }) };
  const { effective } = resolveGuard(layers, target, profileHosts);
  const names = namesInOrder(await listBlocksOfDevice(db, tenantId, device));
  const { blocked_processes } = withBlocked(effective, names);
  return createHash('sha256').update(JSON.stringify(blocked_processes)).digest('hex');
}

function nothingIfGone(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
}

/** With more devices the earlier blocks are not compared: all count as changed. */
const MOST_COMPARED = 100;
/** With more devices the configuration is pushed to every device of the tenant. */
const MOST_PUSHED = 100;

/**
 * Increments the configuration version if the blocks of any device have changed, and pushes the
 * configuration to these devices.
 */
export async function sendBlocks(context: Context, tenantId: string): Promise<void> {
  const { storage } = context;
  const changed = await storage.db.transaction().execute(async (trx) => {
    const due = await takeDue(trx, tenantId);
    const devices: string[] = [];
    for (const { device_id, token } of due) {
      const isSame =
        due.length <= MOST_COMPARED && (await blockedOn(trx, tenantId, device_id)) === token;
      if (!isSame) devices.push(device_id);
    }
    // Last: from here on all other configuration changes wait.
    if (devices.length > 0) await nextConfigVersion(trx, tenantId);
    return devices;
  });
  const to = changed.length > MOST_PUSHED ? [undefined] : changed;
  for (const device_id of to)
    storage.signals.publish({
      tenant_id: tenantId,
      topic: 'guard',
      ...(device_id !== undefined && { device_id }),
    });
}

const takeDue = (trx: Trx, tenantId: string) =>
  trx
    .deleteFrom('app_changes')
    .where('tenant_id', '=', tenantId)
    .where('group_id', '=', NO_GROUP)
    .returning(['device_id', 'token'])
    .execute();

/** Has any device blocks that were not sent to it yet? */
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
