import { guardLevels } from '#contract/guard.ts';
import type { GuardLevel } from '#contract/guard.ts';
import type { ResolveQuery, Resolved } from '../data/guard-sources.ts';

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

/** What the level and scope inherit: everything but their own layer. */
export function inheritedQuery(level: GuardLevel, scope: string): ResolveQuery {
  if (level === 'global') return { without: level, profiles: 'true' };
  const profiles = level === 'device' ? {} : ({ profiles: 'true' } as const);
  return { [level]: scope, without: level, ...profiles };
}
