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
 * Among the pending changes of apps, a row without a group stands for a device on which rules block
 * something else than before. Its token is what was blocked there, as far as devices were sent it.
 */
const NO_GROUP = '';

/** Notes, before the blocks of a device change, what is blocked on it until then. */
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

/** All that Guard blocks on a device, short. */
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

/** Of more devices it is not looked at what each had before: a change for many is one. */
const MOST_COMPARED = 100;
/** Of more devices every device of the tenant is pushed to. */
const MOST_PUSHED = 100;

/**
 * Gives the configuration its next version if Guard blocks something else than before on some device,
 * and has these devices sent it.
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
    // Last: from here on everything else that changes the configuration waits.
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

/** Is there a device on which rules block something else since it was last sent that? */
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
