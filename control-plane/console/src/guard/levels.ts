import { guardLevels } from '#contract/guard.ts';
import type { GuardLevel } from '#contract/guard.ts';
import type { Device, ResolveQuery, Resolved } from '../data/sources.ts';

export const levelNames: Record<GuardLevel, string> = {
  global: 'Global',
  app_type: 'App type',
  user_group: 'User group',
  device: 'Device',
  agent: 'Agent',
};

export const levelOptions = guardLevels.map((id) => ({ id, name: levelNames[id] }));

/** Identifies a layer. The global layer has no scope. */
export const layerKey = (level: GuardLevel, scope: string | null): string =>
  `${level} ${scope ?? ''}`;

type Source = Resolved['sources'][string];

const sourceTexts: Record<Source, string> = {
  default: 'not set anywhere',
  profile: 'from the profile',
  global: 'from Global',
  app_type: 'from the app type',
  user_group: 'from the user group',
  device: 'from the device',
  agent: 'from the agent',
};

export const sourceText = (source: Source | undefined): string => sourceTexts[source ?? 'default'];

export interface ResolveQueries {
  /** Includes the layer itself. */
  here: ResolveQuery;
  /** Only the broader layers. */
  broader: ResolveQuery;
}

/** For a device, the layer of its user group lies between its own layer and the global one. */
export function resolveQueries(
  level: GuardLevel,
  scope: string,
  device: Pick<Device, 'user_group'> | undefined,
): ResolveQueries {
  if (level === 'global') return { here: {}, broader: {} };
  const group = level === 'device' && device?.user_group ? { user_group: device.user_group } : {};
  return { here: { ...group, [level]: scope }, broader: group };
}
