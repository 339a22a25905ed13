import type { SocketKey } from '#agent/core/flow-table.ts';
import { findCatalogHost, hostCatalog, normalizeHost } from '#domain/hosts/host-catalog.ts';

/** The ends of a flow, as far as its name can depend on them. */
export interface NamedFlow {
  /** Of its socket, where the source of the flow knows names by that. */
  key?: SocketKey;
  protocol: 'tcp' | 'udp';
  localPort: number;
  address: string;
  port: number;
}

/**
 * Host names of remote addresses. Only hosts of the AI catalog are remembered: other sites that a
 * user visits are private and are not even kept in memory.
 */
export interface HostNames {
  /** The catalog host; null when the flow is known to be for another one; else nothing. */
  nameOf: (flow: NamedFlow) => string | null | undefined;
  /** The name of a flow older than this does not change. */
  finalAfterMs: number;
  stop: () => void;
}

/** The host as reports name it if it is in the AI catalog, nothing if it is not. */
export function catalogHostOf(name: string): string | undefined {
  return findCatalogHost(name) ? normalizeHost(name) : undefined;
}

/** The hosts of the catalog that can be looked up: all but the patterns. */
export function catalogHosts(): string[] {
  return hostCatalog.hosts.map(({ host }) => host).filter((host) => !host.startsWith('*.'));
}
