import type { SocketKey } from '#agent/core/flow-table.ts';

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
  /** A flow older than this will not learn another name. */
  settledAfterMs: number;
  stop: () => void;
}
