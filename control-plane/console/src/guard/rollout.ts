import type { GuardLevel } from '#contract/guard.ts';
import type { Device } from '../data/sources.ts';

export interface Rollout {
  applied: Device[];
  pending: Device[];
}

/** The devices that a layer concerns, by whether they run with at least this version. */
export function rolloutOf(
  devices: readonly Device[],
  level: GuardLevel,
  scope: string,
  version: number,
): Rollout {
  const concerned = devices.filter((device) => concerns(device, level, scope));
  return {
    applied: concerned.filter(({ applied_version }) => applied_version >= version),
    pending: concerned.filter(({ applied_version }) => applied_version < version),
  };
}

/** A device's configuration is for the device as a whole, so these layers are not part of it. */
export const isPerApp = (level: GuardLevel): boolean => level === 'app_type' || level === 'agent';

function concerns(device: Device, level: GuardLevel, scope: string): boolean {
  if (device.status === 'revoked' || isPerApp(level)) return false;
  if (level === 'device') return device.id === scope;
  if (level === 'user_group') return device.user_group === scope;
  return true;
}
