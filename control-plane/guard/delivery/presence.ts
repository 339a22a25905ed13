import type { Context } from '../../context.ts';
import { believableVersion } from '../../device-reports/rules.ts';
import { configVersion } from '../queries.ts';
import type { DeviceConnection } from './device-connection.ts';
import { type DeviceStatus, updateDeviceStatus } from './delivery-queries.ts';
import { groupSame } from './push-rules.ts';
import { filterAuthorized } from './authorized-connections.ts';

/** What is new of a device. */
export interface PresenceUpdate {
  line: DeviceConnection;
  seen: DeviceStatus;
}

/**
 * Stores what is new of devices of one tenant: who came, who left, and which version is in force
 * where. Thousands that acknowledge the same version are one statement, and one signal.
 */
export async function storePresence(
  context: Context,
  tenantId: string,
  sightings: readonly PresenceUpdate[],
): Promise<void> {
  const { storage } = context;
  const newest = await configVersion(storage.db, tenantId);
  const there = sightings.filter(({ seen }) => !hasLeft(seen)).map(({ line }) => line);
  const served = await filterAuthorized(context, tenantId, there);
  const stored = sightings
    .filter(({ line, seen }) => hasLeft(seen) || served.has(line))
    .map(({ line, seen }) => [line.device.deviceId, believable(seen, newest)] as const);
  const now = context.now();
  for (const { key: seen, ids } of groupSame(stored))
    await updateDeviceStatus(storage, tenantId, ids, { ...seen, at: seen.disconnected_at ?? now });
  announce(context, tenantId, stored);
}

const hasLeft = ({ disconnected_at }: DeviceStatus): boolean => typeof disconnected_at === 'number';

const believable = ({ applied_version, ...seen }: DeviceStatus, newest: number): DeviceStatus =>
  applied_version === undefined
    ? seen
    : { ...seen, applied_version: believableVersion(applied_version, newest) };

/** Of several devices one signal says that there are some. */
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
