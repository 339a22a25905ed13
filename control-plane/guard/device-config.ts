import type { DeviceConfig } from '#contract/device-protocol.ts';
import type { Db } from '../storage/open.ts';
import { appSettingsOf, ownRulesOf } from '../settings/queries.ts';
import { listBlocksOfDevice } from './block-queries.ts';
import { namesInOrder } from './block-view.ts';
import { findGuardTarget, listLayers } from './queries.ts';
import { configVersion } from '../tenants/config-version.ts';
import { configFor, type DeviceConfigParts } from './device-config-rules.ts';

/** Loads the current configuration inputs for the devices of a tenant. */
export async function loadConfigParts(db: Db, tenantId: string): Promise<DeviceConfigParts> {
  // The version is read first: if something changes in between, devices get another push instead of
  // recording a version that they do not have.
  const version = await configVersion(db, tenantId);
  const layers = await listLayers(db, tenantId);
  const masking = await ownRulesOf(db, tenantId);
  const app = await appSettingsOf(db, tenantId);
  return { version, layers, masking, app };
}

/** Returns the current effective configuration of a device. */
export async function configOfDevice(
  db: Db,
  tenantId: string,
  deviceId: string,
): Promise<DeviceConfig> {
  const parts = await loadConfigParts(db, tenantId);
  const { user_group, profileHosts } = await findGuardTarget(db, tenantId, deviceId);
  const target = { device: deviceId, ...(user_group !== undefined && { user_group }) };
  const names = namesInOrder(await listBlocksOfDevice(db, tenantId, deviceId));
  return configFor({ ...parts, blocks: new Map([[deviceId, names]]) }, target, profileHosts);
}
