import { findCatalogHost, hostCatalog, normalizeHost } from '#agent/core/host-catalog.ts';

/** The host as reports name it if it is in the AI catalog, nothing if it is not. */
export function knownHost(name: string): string | undefined {
  return findCatalogHost(name) ? normalizeHost(name) : undefined;
}

/** The hosts of the catalog that can be looked up: all but the patterns. */
export function exactHosts(): string[] {
  return hostCatalog.hosts.map(({ host }) => host).filter((host) => !host.startsWith('*.'));
}
