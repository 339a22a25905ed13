import type { Context } from '../../context.ts';
import { listBlocks } from '../../inventory/block-queries.ts';
import { namesByDevice } from '../../inventory/block-view.ts';
import { toDeviceConfig } from '../device-config.ts';
import type { DeviceConnection } from './device-connection.ts';
import { pushMessages } from './push-rules.ts';
import { filterAuthorized } from './authorized-connections.ts';

const lastSent = new WeakMap<DeviceConnection, string>();

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
  const parts = await toDeviceConfig(db, tenantId);
  const deviceIds = connections.map(({ device }) => device.deviceId);
  const blocks = namesByDevice(await listBlocks(context.storage, tenantId, deviceIds));
  const messageOf = pushMessages({ ...parts, blocks });
  // Checked last, so that devices revoked until now receive nothing.
  for (const [connection, target] of await filterAuthorized(context, tenantId, connections)) {
    const message = messageOf(target);
    if (lastSent.get(connection) === message) continue;
    lastSent.set(connection, message);
    connection.send(message);
  }
}
