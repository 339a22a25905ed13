import { findCatalogHost, isPattern } from '../data/catalog.ts';
import type { CatalogHost } from '../data/sources.ts';

export interface HostGroup {
  provider: string;
  /** Whole host names: what capture can be switched on for. */
  hosts: CatalogHost[];
  /** Such as `*.example.com`: a host that fits must be named before it can be switched on. */
  patterns: CatalogHost[];
}

const notInCatalog = 'Not in the catalog';

/**
 * The hosts that the search finds, by provider, in the order of the catalog. To those of the
 * catalog come hosts that are switched on: they fit a pattern, or the catalog no longer has them,
 * and then stand last.
 */
export function groupHosts(
  catalog: readonly CatalogHost[],
  switchedOn: readonly string[],
  search: string,
): HostGroup[] {
  const known = new Set(catalog.map(({ host }) => host));
  const named = switchedOn
    .filter((host) => !known.has(host))
    .map((host) => nameHost(catalog, host));
  const wanted = search.trim().toLowerCase();
  const found = [...catalog, ...named].filter(({ host, provider, name }) =>
    `${host} ${provider} ${name}`.toLowerCase().includes(wanted),
  );
  return [...Map.groupBy(found, ({ provider }) => provider)].map(([provider, entries]) => ({
    provider,
    hosts: entries.filter(({ host }) => !isPattern(host)),
    patterns: entries.filter(({ host }) => isPattern(host)),
  }));
}

function nameHost(catalog: readonly CatalogHost[], host: string): CatalogHost {
  const entry = findCatalogHost(catalog, host);
  const unknown = { host, provider: notInCatalog, name: '', region: null, aliases: [] };
  return entry ? { ...entry, host } : unknown;
}

/** Some providers have a host for each of dozens of regions: the first few, and all that are on. */
export function shorten(
  hosts: readonly CatalogHost[],
  switchedOn: readonly string[],
  most = 6,
): readonly CatalogHost[] {
  // A fold that hides two or three is not worth its button.
  if (hosts.length <= most + 2) return hosts;
  return hosts.filter(({ host }, at) => at < most || switchedOn.includes(host));
}
