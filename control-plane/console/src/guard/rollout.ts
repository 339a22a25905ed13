import type { GuardLevel } from '#contract/guard.ts';
import type { Device } from '../data/device-sources.ts';

export interface Rollout {
  applied: Device[];
  pending: Device[];
}

/**
 * Groups the devices that a layer applies to by whether they have applied at least this version.
 */
export function rolloutOf(
  devices: readonly Device[],
  level: GuardLevel,
  scope: string,
  version: number,
): Rollout {
  const targets = devices.filter((device) => isTarget(device, level, scope));
  return {
    applied: targets.filter(({ applied_version }) => applied_version >= version),
    pending: targets.filter(({ applied_version }) => applied_version < version),
  };
}

/**
 * Whether a level is per app. Such layers are not part of a device's configuration, which is not
 * split by app.
 */
export const isPerApp = (level: GuardLevel): boolean => level === 'app_type' || level === 'agent';

function isTarget(device: Device, level: GuardLevel, scope: string): boolean {
  if (device.status === 'revoked' || isPerApp(level)) return false;
  if (level === 'device') return device.id === scope;
  if (level === 'user_group') return device.user_group === scope;
  return true;
}
