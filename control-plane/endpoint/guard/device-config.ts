import { resolveGuard } from '#agent/core/guard.ts';
import type { DeviceConfig } from '#contract/device.ts';
import type { Db } from '../../storage/open.ts';
import { ownRulesOf } from '../../settings/queries.ts';
import { configVersion, findGuardTarget, listLayers } from './queries.ts';

/** The effective configuration of a device now. */
export async function configOfDevice(
  db: Db,
  tenantId: string,
  deviceId: string,
): Promise<DeviceConfig> {
  // The version is read first: if a layer or the masking changes in between, the device is told once more,
  // rather than believing that it has a version which it has not.
  const version = await configVersion(db, tenantId);
  const { user_group, profileHosts } = await findGuardTarget(db, tenantId, deviceId);
  const layers = await listLayers(db, tenantId);
  const target = { device: deviceId, ...(user_group !== undefined && { user_group }) };
  const masking = await ownRulesOf(db, tenantId);
  return { version, ...resolveGuard(layers, target, profileHosts).effective, masking };
}
