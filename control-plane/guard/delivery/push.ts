import type { Context } from '../../context.ts';
import { listBlocks } from '../../inventory/block-queries.ts';
import { namesByDevice } from '../../inventory/block-view.ts';
import { toDeviceConfig } from '../device-config.ts';
import type { DeviceConnection } from './device-connection.ts';
import { pushMessages } from './push-rules.ts';
import { filterAuthorized } from './authorized-connections.ts';

const lastSent = new WeakMap<DeviceConnection, string>();

/** Tells devices of one tenant what they should run. What a line was told last is not told again. */
export async function pushConfigs(
  context: Context,
  tenantId: string,
  lines: readonly DeviceConnection[],
): Promise<void> {
  const { db } = context.storage;
  const told = await toDeviceConfig(db, tenantId);
  const deviceIds = lines.map(({ device }) => device.deviceId);
  const blocks = namesByDevice(await listBlocks(context.storage, tenantId, deviceIds));
  const messageOf = pushMessages({ ...told, blocks });
  // Looked up last, so that whoever was revoked until now is told nothing.
  for (const [line, target] of await filterAuthorized(context, tenantId, lines)) {
    const message = messageOf(target);
    if (lastSent.get(line) === message) continue;
    lastSent.set(line, message);
    line.send(message);
  }
}
