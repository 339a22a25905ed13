import type { z } from 'zod';
import type { catalogHost } from '#contract/guard.ts';
import { hostsByProvider } from './catalog-hosts.ts';
import { siblingHosts } from './catalog-siblings.ts';
import { isRefusedHost } from './refused-hosts.ts';

export { isRefusedHost, refusedHosts } from './refused-hosts.ts';

export type CatalogHost = z.output<typeof catalogHost>;

export interface HostCatalog {
  version: string;
  hosts: readonly CatalogHost[];
}

/** The AI hosts for which capture can be switched on. The version changes with every edit. */
export const hostCatalog: HostCatalog = {
  version: '2026.11.3',
  hosts: Object.entries(hostsByProvider).flatMap(([provider, hosts]) =>
    Object.entries(hosts).map(([host, offer]) => ({
      host,
      provider,
      ...(typeof offer === 'string' ? { name: offer, region: null } : offer),
      aliases: aliasesOf(host),
    })),
  ),
};

/** The other hosts of every group that contains the host, in the order of the groups. */
function aliasesOf(host: string): string[] {
  const groups = siblingHosts.filter((group) => group.includes(host));
  return [...new Set(groups.flat())].filter((other) => other !== host);
}

const hostName = /^(?=.{1,253}$)(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))+$/;

/**
 * The name in lower case, without surrounding blanks and trailing dot. It need not be a host name.
 */
export const normalizeHost = (name: string): string => name.trim().toLowerCase().replace(/\.$/, '');

const numberLast = /(^|\.)\d+$/;

/**
 * Whether the name has at least two valid labels, encoded if it is not ASCII, and is neither a
 * pattern nor an address.
 */
export function isHostName(name: string): boolean {
  const host = normalizeHost(name);
  return hostName.test(host) && !numberLast.test(host);
}

/**
 * The entry that a host belongs to. A plain entry matches that host only, without its subdomains. A
 * pattern `*.example.com` matches every host exactly one label below, as in a TLS certificate,
 * unless that label is encoded (`xn--`), because it could look like another one. Banking, health
 * and mail hosts are never found. Neither is a pattern itself, because it is not a host.
 */
export function findCatalogHost(
  name: string,
  catalog: HostCatalog = hostCatalog,
): CatalogHost | undefined {
  const host = normalizeHost(name);
  if (!isHostName(host) || isRefusedHost(host)) return undefined;
  const exact = catalog.hosts.find((entry) => entry.host === host);
  if (exact || host.startsWith('xn--')) return exact;
  const pattern = `*${host.slice(host.indexOf('.'))}`;
  return catalog.hosts.find((entry) => entry.host === pattern);
}

export interface InterceptHosts {
  /** Hosts that may be captured: normalized, sorted, without duplicates. */
  hosts: string[];
  /** Names that are not in the catalog, as they were given. */
  unknown: string[];
  /** Banking, health and mail hosts, as they were given. */
  refused: string[];
}

/**
 * Selects the hosts for which capture may be switched on. Each must be a complete host name even if
 * the catalog has a pattern: the names become permitted subtrees of a device's certificate
 * authority, where `openai.azure.com` would permit the hosts of every other company on Azure.
 */
export function checkInterceptHosts(
  names: readonly string[],
  catalog: HostCatalog = hostCatalog,
): InterceptHosts {
  const refused = names.filter((name) => isRefusedHost(name));
  const rest = names.filter((name) => !isRefusedHost(name));
  const known = rest.filter((name) => findCatalogHost(name, catalog));
  return {
    hosts: [...new Set(known.map(normalizeHost))].sort(),
    unknown: rest.filter((name) => !known.includes(name)),
    refused,
  };
}

/**
 * Catalog hosts that are subdomains of these hosts and not in the list themselves. Hosts with a
 * listed host below them are left out, because a name constraint that excludes a parent also
 * excludes its children.
 */
export function catalogHostsBelow(
  hosts: readonly string[],
  catalog: HostCatalog = hostCatalog,
): string[] {
  const isAtOrBelow = (host: string, above: string): boolean => `.${host}`.endsWith(`.${above}`);
  return catalog.hosts
    .map(({ host }) => host)
    .filter((host) => !host.startsWith('*.') && hosts.some((above) => isAtOrBelow(host, above)))
    .filter((host) => !hosts.some((enabled) => isAtOrBelow(enabled, host)));
}
