import type { Context } from '../../context.ts';
import { clampVersion } from '../device-config-rules.ts';
import { configVersion } from '../../tenants/config-version.ts';
import type { DeviceConnection } from './device-connection.ts';
import { type DeviceStatus, updateDeviceStatus } from './delivery-queries.ts';
import { groupByValue } from './push-rules.ts';
import { closeUnauthorized } from './authorized-connections.ts';

/** A change of a device's status. */
export interface PresenceUpdate {
  connection: DeviceConnection;
  status: DeviceStatus;
}

/**
 * Stores status changes of devices of one tenant: connects, disconnects, and applied versions.
 * Thousands of acknowledgments of the same version take one statement and one signal.
 */
export async function storePresence(
  context: Context,
  tenantId: string,
  updates: readonly PresenceUpdate[],
): Promise<void> {
  const { storage } = context;
  const newest = await configVersion(storage.db, tenantId);
  const present = updates
    .filter(({ status }) => !isDisconnected(status))
    .map(({ connection }) => connection);
  const served = await closeUnauthorized(context, tenantId, present);
  const stored = updates
    .filter(({ connection, status }) => isDisconnected(status) || served.has(connection))
    .map(
      ({ connection, status }) =>
        [connection.device.deviceId, withClampedVersion(status, newest)] as const,
    );
  const now = context.now();
  for (const { key: status, ids } of groupByValue(stored)) {
    const at = status.disconnected_at ?? now;
    await storage.transaction((tx) => updateDeviceStatus(tx, tenantId, ids, { ...status, at }));
  }
  announce(context, tenantId, stored);
}

const isDisconnected = ({ disconnected_at }: DeviceStatus): boolean =>
  typeof disconnected_at === 'number';

const withClampedVersion = (
  { applied_version, ...status }: DeviceStatus,
  newest: number,
): DeviceStatus =>
  applied_version === undefined
    ? status
    : { ...status, applied_version: clampVersion(applied_version, newest) };

/** Sends the signals. For several devices, it is one signal without a device id. */
function announce(
  { storage }: Context,
  tenant_id: string,
  stored: readonly (readonly [deviceId: string, unknown])[],
): void {
  const [first, another] = stored;
  if (!first) return;
  const only = another ? {} : { device_id: first[0] };
  storage.signals.publish({ tenant_id, topic: 'devices', ...only });
}
