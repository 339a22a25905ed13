import type { Context } from '../../context.ts';
import { listBlocks } from '../block-queries.ts';
import { namesByDevice } from '../block-view.ts';
import { loadConfigParts } from '../device-config.ts';
import type { DeviceConnection } from './device-connection.ts';
import { pushMessages } from './push-rules.ts';
import { closeUnauthorized } from './authorized-connections.ts';

/**
 * Pushes the current configuration to devices of one tenant, unless the connection has already
 * received it.
 */
export async function pushConfigs(
  context: Context,
  tenantId: string,
  connections: readonly DeviceConnection[],
): Promise<void> {
  const { db } = context.storage;
  const parts = await loadConfigParts(db, tenantId);
  const deviceIds = connections.map(({ device }) => device.deviceId);
  const blocks = namesByDevice(await listBlocks(context.storage.db, tenantId, deviceIds));
  const messageOf = pushMessages({ ...parts, blocks });
  // This is checked last, so that devices that were revoked in the meantime receive nothing.
  for (const [connection, target] of await closeUnauthorized(context, tenantId, connections)) {
    const message = messageOf(target);
    if (connection.lastSent === message) continue;
    connection.lastSent = message;
    connection.send(message);
  }
}
