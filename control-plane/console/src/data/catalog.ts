import type { CatalogHost } from './guard-sources.ts';

/**
 * Whether a catalog host is a pattern. `*.example.com` matches every host exactly one label below.
 */
export const isPattern = (host: string): boolean => host.startsWith('*.');

/** The catalog entry of a host: an exact match, otherwise a matching pattern. */
export function findCatalogHost(
  catalog: readonly CatalogHost[],
  host: string,
): CatalogHost | undefined {
  const pattern = `*${host.slice(host.indexOf('.'))}`;
  return (
    catalog.find((entry) => entry.host === host) ?? catalog.find((entry) => entry.host === pattern)
  );
}
