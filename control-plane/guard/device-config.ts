import type { DeviceConfig } from '#contract/device.ts';
import type { Db } from '../storage/open.ts';
import { appSettingsOf } from '../settings/app-queries.ts';
import { ownRulesOf } from '../settings/queries.ts';
import { listBlocksOfDevice } from '../inventory/block-queries.ts';
import { namesInOrder } from '../inventory/block-view.ts';
import { configVersion, findGuardTarget, listLayers } from './queries.ts';
import { configFor, type DeviceConfigParts } from './rules.ts';

/** The current configuration inputs for the devices of a tenant. */
export async function toDeviceConfig(db: Db, tenantId: string): Promise<DeviceConfigParts> {
  // The version is read first: if something changes in between, devices get another push, instead
  // of recording a version that they do not have.
  const version = await configVersion(db, tenantId);
  const layers = await listLayers(db, tenantId);
  const masking = await ownRulesOf(db, tenantId);
  const app = await appSettingsOf(db, tenantId);
  return { version, layers, masking, app };
}

/** The effective configuration of a device now. */
export async function configOfDevice(
  db: Db,
  tenantId: string,
  deviceId: string,
): Promise<DeviceConfig> {
  const parts = await toDeviceConfig(db, tenantId);
  const { user_group, profileHosts } = await findGuardTarget(db, tenantId, deviceId);
  const target = { device: deviceId, ...(user_group !== undefined && { user_group }) };
  const names = namesInOrder(await listBlocksOfDevice(db, tenantId, deviceId));
  return configFor({ ...parts, blocks: new Map([[deviceId, names]]) }, target, profileHosts);
}
