import type { CatalogHost } from './sources.ts';

/** `*.example.com` in the catalog: every host one label below. */
export const isPattern = (host: string): boolean => host.startsWith('*.');

/** The entry that a host belongs to: its own, or the pattern that it fits. */
export function findCatalogHost(
  catalog: readonly CatalogHost[],
  host: string,
): CatalogHost | undefined {
  const pattern = `*${host.slice(host.indexOf('.'))}`;
  return (
    catalog.find((entry) => entry.host === host) ?? catalog.find((entry) => entry.host === pattern)
  );
}
