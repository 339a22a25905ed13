import { MAX_BLOCKED, withBlocked } from '#domain/guard/blocked-processes.ts';
import { resolveGuard } from '#domain/guard/cascade.ts';
import type { Db } from '../storage/open.ts';
import { type Block, listBlocks, listLargeBlocks } from './block-queries.ts';
import { namesInOrder, blockView } from './block-view.ts';
import { findGuardTarget, type Layer, listLayers } from './queries.ts';

/**
 * A block with the names that a device does not enforce, because it has more names than it accepts.
 */
export interface NotInForce {
  block: Block;
  names: string[];
}

/**
 * Finds the blocks of these devices that are not in force; without `devices`, those of all devices
 * of the tenant.
 */
export async function blocksNotInForce(
  db: Db,
  tenantId: string,
  devices?: readonly string[],
): Promise<NotInForce[]> {
  const layers = await listLayers(db, tenantId);
  const ofLayers = layers.map(({ config }) => config.blocked_processes?.length ?? 0);
  const room = MAX_BLOCKED - Math.max(0, ...ofLayers);
  const many = devices ?? (await listLargeBlocks(db, tenantId, room));
  if (many.length === 0) return [];
  const blocks = await listBlocks(db, tenantId, many);
  const found: NotInForce[] = [];
  for (const [device, of] of Map.groupBy(blocks, ({ device_id }) => device_id)) {
    const names = namesInOrder(of);
    if (names.length > room)
      found.push(...(await findNotInForce(db, tenantId, { device, of, names, layers })));
  }
  return found;
}

async function findNotInForce(
  db: Db,
  tenantId: string,
  on: { device: string; of: readonly Block[]; names: readonly string[]; layers: readonly Layer[] },
): Promise<NotInForce[]> {
  const { device, of, names, layers } = on;
  const { user_group, profileHosts } = await findGuardTarget(db, tenantId, device);
  const target = { device, ...(user_group !== undefined && { user_group }) };
  const { effective } = resolveGuard(layers, target, profileHosts);
  const inForce = new Set(withBlocked(effective, names).blocked_processes);
  return of
    .map((block) => ({ block, names: blockView(block, inForce).not_in_force }))
    .filter((one) => one.names.length > 0);
}
