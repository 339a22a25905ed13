import { t } from '@lingui/core/macro';
import { guardLevels } from '#contract/guard.ts';
import type { GuardLevel } from '#contract/guard.ts';
import type { ResolveQuery, Resolved } from '../data/guard-sources.ts';

export const levelNames: Record<GuardLevel, string> = {
  global: t`Global`,
  app_type: t`App type`,
  user_group: t`User group`,
  device: t`Device`,
  agent: t`Agent`,
};

export const levelOptions = guardLevels.map((id) => ({ id, name: levelNames[id] }));

/** Identifies a layer. The global layer has no scope. */
export const layerKey = (level: GuardLevel, scope: string | null): string =>
  `${level} ${scope ?? ''}`;

type Source = Resolved['sources'][string];

const sourceTexts: Record<Source, string> = {
  default: t`not set anywhere`,
  profile: t`from the profile`,
  global: t`from Global`,
  app_type: t`from the app type`,
  user_group: t`from the user group`,
  device: t`from the device`,
  agent: t`from the agent`,
};

export const sourceText = (source: Source | undefined): string => sourceTexts[source ?? 'default'];

/** The query for what a level and scope inherit: everything except their own layer. */
export function inheritedQuery(level: GuardLevel, scope: string): ResolveQuery {
  if (level === 'global') return { without: level, profiles: 'true' };
  const profiles = level === 'device' ? {} : ({ profiles: 'true' } as const);
  return { [level]: scope, without: level, ...profiles };
}
