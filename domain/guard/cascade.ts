import type {
  GuardConfig,
  GuardFields,
  GuardLevel,
  GuardOrigin,
  guardSource,
} from '#contract/guard.ts';
import type { z } from 'zod';
import { guardFieldNames, guardLevels } from '#contract/guard.ts';
import { withHostOverrides } from '#contract/host-overrides.ts';
import { findCatalogHost } from '../hosts/host-catalog.ts';

export interface GuardLayer {
  layer: GuardLevel;
  scope: string | null;
  config: GuardConfig;
}

/** The target of a configuration. A level that is not present has no layer that applies. */
export type GuardTarget = { [level in Exclude<GuardLevel, 'global'>]?: string | null };

export type GuardSource = z.output<typeof guardSource>;

export type GuardField = keyof GuardFields;

const unset: GuardFields = {
  capture_enabled: false,
  intercept_hosts: [],
  intercept_processes: [],
  blocked_hosts: [],
  blocked_processes: [],
  enforce_policies: false,
  pause_minutes: 0,
  coding_agents: 'off',
  tool_checks: 'off',
};

export interface ResolvedGuard<L extends GuardLayer = GuardLayer> {
  effective: GuardFields;
  /** The source of each field, even if its value could not take effect. */
  sources: Record<GuardField, GuardSource>;
  /** The layer that set each field; null for the profile and the default. */
  winners: Record<GuardField, L | null>;
  /** The source of each effective host: the last layer that lists it or switches it on. */
  hostSources: Record<string, GuardSource>;
}

interface Setting<L> {
  source: GuardSource;
  config: GuardConfig;
  layer: L | null;
}

/**
 * Resolves the cascade: for each field, the most specific layer that sets it wins, even with an
 * empty list. Overrides of single hosts change the list that the broader layers produced. The hosts
 * of the device's profile are the base below the global layer. Regardless of the layers, the
 * effective configuration contains only hosts of the catalog, capture is off if it contains none,
 * and capture cannot be paused while policies are enforced.
 */
export function resolveGuard<L extends GuardLayer>(
  layers: readonly L[],
  target: GuardTarget,
  profileHosts: readonly string[],
): ResolvedGuard<L> {
  const settings: Setting<L>[] = [
    { source: 'default', config: unset, layer: null },
    ...profileSetting(profileHosts),
    ...layerSettings(layers, target),
  ];
  const winners = eachField(
    (field) => settings.findLast(({ config }) => setsField(config, field)) as Setting<L>,
  );
  const configured = eachField((field) => winners[field].config[field]) as GuardFields;
  const hosts = hostsOf(settings).filter((host) => findCatalogHost(host));
  const sourcesOfHosts = collectHostSources(settings);
  return {
    effective: {
      ...configured,
      capture_enabled: configured.capture_enabled && hosts.length > 0,
      intercept_hosts: hosts,
      pause_minutes: configured.enforce_policies ? 0 : configured.pause_minutes,
    },
    sources: eachField((field) => winners[field].source),
    winners: eachField((field) => winners[field].layer),
    hostSources: Object.fromEntries(
      hosts.flatMap((host) => {
        const source = sourcesOfHosts.get(host);
        return source === undefined ? [] : [[host, source]];
      }),
    ),
  };
}

function setsField(config: GuardConfig, field: GuardField): boolean {
  if (config[field] !== undefined) return true;
  return field === 'intercept_hosts' && Object.keys(config.host_overrides ?? {}).length > 0;
}

/**
 * Applies the layers in order: a list replaces the previous one, then overrides add and remove
 * hosts.
 */
const hostsOf = (settings: readonly Setting<unknown>[]): readonly string[] =>
  settings.reduce<readonly string[]>(
    (hosts, { config }) =>
      withHostOverrides(config.intercept_hosts ?? hosts, config.host_overrides),
    [],
  );

/** The last source that lists each host or switches it on, in the same order as the hosts. */
function collectHostSources(settings: readonly Setting<unknown>[]): Map<string, GuardSource> {
  const sources = new Map<string, GuardSource>();
  for (const { source, config } of settings) {
    if (config.intercept_hosts !== undefined) sources.clear();
    for (const host of config.intercept_hosts ?? []) sources.set(host, source);
    for (const [host, isOn] of Object.entries(config.host_overrides ?? {}))
      if (isOn) sources.set(host, source);
  }
  return sources;
}

/** The source of each field and the time when its layer was last changed, as sent to devices. */
export const guardOrigins = <L extends GuardLayer & { updated_at: number }>({
  sources,
  winners,
}: ResolvedGuard<L>): Record<GuardField, GuardOrigin> =>
  eachField((field) => {
    const changed = winners[field]?.updated_at;
    const set_at = changed === undefined ? null : new Date(changed).toISOString();
    return { source: sources[field], set_at };
  });

function profileSetting(hosts: readonly string[]): Setting<never>[] {
  if (hosts.length === 0) return [];
  const config = { capture_enabled: true, intercept_hosts: [...hosts] };
  return [{ source: 'profile', config, layer: null }];
}

/** The settings of the layers that apply to the target, the broadest first. */
function layerSettings<L extends GuardLayer>(
  layers: readonly L[],
  target: GuardTarget,
): Setting<L>[] {
  return guardLevels.flatMap((level) =>
    layers
      .filter(({ layer, scope }) => layer === level && isLayerOfTarget(level, scope, target))
      .map((layer) => ({ source: level, config: layer.config, layer })),
  );
}

/** Whether a layer applies to the target. A missing scope, on either side, never matches. */
function isLayerOfTarget(level: GuardLevel, scope: string | null, target: GuardTarget): boolean {
  return level === 'global' || (scope !== null && scope === target[level]);
}

const eachField = <T>(value: (field: GuardField) => T): Record<GuardField, T> =>
  Object.fromEntries(guardFieldNames.map((field) => [field, value(field)])) as Record<
    GuardField,
    T
  >;
