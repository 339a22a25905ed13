import type { FlowCounts, FlowOwner, FlowSocket, SocketKey } from '#agent/core/flow-table.ts';
import type { NamedConnection } from '../../capture/listeners/capture-listener.ts';
import type { HostNames } from '../host-names.ts';

/** Called for every socket in a poll. `counts` is only valid during the call. */
export interface SocketVisitor {
  /** Returns false for a new socket; then `add` follows. */
  update: (key: SocketKey, counts: FlowCounts) => boolean;
  add: (socket: FlowSocket, counts: FlowCounts) => void;
}

/** A closed socket. Its functions must be called immediately, if at all. */
export interface ClosedSocket {
  key: SocketKey;
  isServer: () => boolean;
  socket: () => FlowSocket;
  /** The final counts; undefined if the system has already cleared them. */
  counts: () => FlowCounts | undefined;
}

export type OnResolved = (host: string, addresses: readonly string[], ttlSeconds: number) => void;

/** Events between polls, if the system has them. */
export interface SourceEvents {
  /** A process on this machine has just begun to connect. */
  onConnecting: (socket: FlowSocket) => void;
  /** A socket was closed. Returns whether it was known. */
  onClosed: (end: ClosedSocket) => boolean;
}

/** An incomplete poll proves nothing about sockets that it did not visit. */
export interface PollResult {
  complete: boolean;
  error?: string;
}

/** The sockets of this machine; one file per operating system. */
export interface FlowSource {
  /** The scope (a boot, a network namespace) within which socket keys are comparable. */
  scope: string;
  flowId: (key: SocketKey, startedAt: number) => string;
  /** The number of polls that must miss a socket before it counts as closed. */
  maxMisses: number;
  poll: (visitor: SocketVisitor) => Promise<PollResult>;
  /** Whether a server on this machine accepts connections or packets on a local port. */
  isServerPort: (protocol: 'tcp' | 'udp', port: number) => boolean;
  /** Returns the processes that hold these socket inodes, as far as they are visible. */
  findOwners: (inodes: ReadonlySet<number>) => Map<number, FlowOwner>;
  /** Adds a connection that is redirected to the agent, if its packets are not observed. */
  addNamed?: (connection: NamedConnection) => void;
  /** Host names observed on the wire, if the agent may read packets. */
  names?: HostNames;
  close: () => void;
}

/** The source for a system whose sockets cannot be read: no flows, and the reason once. */
export function emptySource(error: string): FlowSource {
  return {
    scope: 'none',
    flowId: String,
    maxMisses: 1,
    poll: async () => ({ complete: false, error }),
    isServerPort: () => false,
    findOwners: () => new Map(),
    close: () => undefined,
  };
}

export interface SourceOptions extends SourceEvents {
  /** Returns the catalog's name for a host; undefined if the host is not in the catalog. */
  catalogHostOf: (name: string) => string | undefined;
  /** A DNS response that a program on this machine received for a catalog host. */
  onResolved?: OnResolved | undefined;
  /** The address of FlowMonitor, on macOS. */
  flowMonitor?: FlowMonitorAddress | undefined;
  /**
   * Called with the problem of the connection to FlowMonitor, in one line; null if there is none.
   */
  onMonitorProblem?: ((line: string | null) => void) | undefined;
  now: () => number;
}

export interface FlowMonitorAddress {
  /** The path of its Unix socket. */
  path: string;
  /** The user id that FlowMonitor runs as; root by default. */
  owner?: number;
}
