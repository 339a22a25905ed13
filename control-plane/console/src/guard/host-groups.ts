import { t } from '@lingui/core/macro';
import type { CatalogHost } from '../data/guard-sources.ts';
import { findCatalogHost, isPattern } from '../data/catalog.ts';

export interface HostGroup {
  provider: string;
  /** Full host names, which can be switched on. */
  hosts: CatalogHost[];
  /** Patterns such as `*.example.com`. To switch one on, the user enters a matching host. */
  patterns: CatalogHost[];
}

const NOT_IN_CATALOG = t`Not in the catalog`;

/**
 * The hosts that match the search, grouped by provider, in catalog order. Includes hosts that are
 * switched on but not in the catalog: those that match a pattern are grouped with its provider, all
 * others come last.
 */
export function groupHosts(
  catalog: readonly CatalogHost[],
  switchedOn: readonly string[],
  search: string,
): HostGroup[] {
  const inCatalog = new Set(catalog.map(({ host }) => host));
  const others = switchedOn
    .filter((host) => !inCatalog.has(host))
    .map((host) => entryFor(catalog, host));
  const text = search.trim().toLowerCase();
  const matches = [...catalog, ...others].filter(({ host, provider, name }) =>
    `${host} ${provider} ${name}`.toLowerCase().includes(text),
  );
  return [...Map.groupBy(matches, ({ provider }) => provider)].map(([provider, entries]) => ({
    provider,
    hosts: entries.filter(({ host }) => !isPattern(host)),
    patterns: entries.filter(({ host }) => isPattern(host)),
  }));
}

function entryFor(catalog: readonly CatalogHost[], host: string): CatalogHost {
  const entry = findCatalogHost(catalog, host);
  const unknown = { host, provider: NOT_IN_CATALOG, name: '', region: null, aliases: [] };
  return entry ? { ...entry, host } : unknown;
}

/**
 * The first hosts and all that are switched on. Some providers have dozens of hosts, one per
 * region.
 */
export function collapseHosts(
  hosts: readonly CatalogHost[],
  switchedOn: readonly string[],
  max = 6,
): readonly CatalogHost[] {
  // Hiding only one or two hosts would not justify a button.
  if (hosts.length <= max + 2) return hosts;
  return hosts.filter(({ host }, at) => at < max || switchedOn.includes(host));
}

/**
 * Related hosts that are switched off, so the app's traffic to them is not captured. Patterns are
 * excluded, because it is unknown which of the matching hosts the app uses.
 */
export const missingSiblings = (
  { aliases }: Pick<CatalogHost, 'aliases'>,
  switchedOn: readonly string[],
): string[] => aliases.filter((host) => !isPattern(host) && !switchedOn.includes(host));
