import type { SocketKey } from '#agent/core/flow-table.ts';
import { findCatalogHost, hostCatalog, normalizeHost } from '#domain/hosts/host-catalog.ts';

/** The facts about a flow that its name may depend on. */
export interface NamedFlow {
  /** The key of its socket, if its source stores names by socket. */
  key?: SocketKey;
  protocol: 'tcp' | 'udp';
  localPort: number;
  address: string;
  port: number;
}

/**
 * Host names of remote addresses. Only hosts of the AI catalog are stored: other sites that a user
 * visits are private and are not even kept in memory.
 */
export interface HostNames {
  /** The catalog host; null if the flow is known to be for another host; undefined if unknown. */
  nameOf: (flow: NamedFlow) => string | null | undefined;
  /** The age in ms after which a flow's name is final. */
  finalAfterMs: number;
  stop: () => void;
}

/** The name of a host in reports; undefined if it is not in the AI catalog. */
export function catalogHostOf(name: string): string | undefined {
  return findCatalogHost(name) ? normalizeHost(name) : undefined;
}

/** The hosts of the catalog that can be resolved: all except patterns. */
export function catalogHosts(): string[] {
  return hostCatalog.hosts.map(({ host }) => host).filter((host) => !host.startsWith('*.'));
}
