import type { GuardConfig, GuardFields, GuardLevel, guardSource } from '#contract/guard.ts';
import type { z } from 'zod';
import { guardLevels } from '#contract/guard.ts';
import { findCatalogHost } from './host-catalog.ts';

export interface GuardLayer {
  layer: GuardLevel;
  scope: string | null;
  config: GuardConfig;
}

/** Whose configuration is asked for. A level that is not named here has no layer that applies. */
export type GuardTarget = { [level in Exclude<GuardLevel, 'global'>]?: string | null };

export type GuardSource = z.output<typeof guardSource>;

export interface ResolvedGuard {
  effective: GuardFields;
  /** Who set each field, also where the value could not take effect. */
  sources: Record<keyof GuardFields, GuardSource>;
}

interface Setting {
  source: GuardSource;
  config: GuardConfig;
}

const unset: Setting = {
  source: 'default',
  config: {
    capture_enabled: false,
    intercept_hosts: [],
    intercept_processes: [],
    blocked_hosts: [],
    blocked_processes: [],
  },
};

/**
 * The cascade: for each field the most specific layer that sets it wins, an empty list included.
 * Below the global layer lie the hosts that the device's profile was generated with. Whatever the
 * layers say, the effective configuration names no host outside the catalog, and capture is off
 * when it names none.
 */
export function resolveGuard(
  layers: readonly GuardLayer[],
  target: GuardTarget,
  profileHosts: readonly string[],
): ResolvedGuard {
  const settings = [...profileSetting(profileHosts), ...layerSettings(layers, target)];
  const winner = (field: keyof GuardFields): Setting =>
    settings.findLast(({ config }) => config[field] !== undefined) ?? unset;

  const asked = eachField((field) => winner(field).config[field]) as GuardFields;
  const hosts = asked.intercept_hosts.filter((host) => findCatalogHost(host));
  return {
    effective: {
      ...asked,
      capture_enabled: asked.capture_enabled && hosts.length > 0,
      intercept_hosts: hosts,
    },
    sources: eachField((field) => winner(field).source),
  };
}

function profileSetting(hosts: readonly string[]): Setting[] {
  if (hosts.length === 0) return [];
  return [{ source: 'profile', config: { capture_enabled: true, intercept_hosts: [...hosts] } }];
}

/** Broadest first. */
function layerSettings(layers: readonly GuardLayer[], target: GuardTarget): Setting[] {
  return guardLevels.flatMap((level) =>
    layers
      .filter(({ layer, scope }) => layer === level && applies(level, scope, target))
      .map(({ config }) => ({ source: level, config })),
  );
}

/** A scope that is missing, on either side, is no scope that matches. */
function applies(level: GuardLevel, scope: string | null, target: GuardTarget): boolean {
  return level === 'global' || (scope !== null && scope === target[level]);
}

function eachField<T>(value: (field: keyof GuardFields) => T): Record<keyof GuardFields, T> {
  return {
    capture_enabled: value('capture_enabled'),
    intercept_hosts: value('intercept_hosts'),
    intercept_processes: value('intercept_processes'),
    blocked_hosts: value('blocked_hosts'),
    blocked_processes: value('blocked_processes'),
  };
}
