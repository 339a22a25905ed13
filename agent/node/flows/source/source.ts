import type { FlowCounts, FlowOwner, FlowSocket, SocketKey } from '#agent/core/flow-table.ts';
import type { HostNames } from '../host-names.ts';

/** Called for every socket in a look. `counts` is only good during the call. */
export interface SocketVisitor {
  /** False when the socket is new; then `add` follows. */
  see: (key: SocketKey, counts: FlowCounts) => boolean;
  add: (socket: FlowSocket, counts: FlowCounts) => void;
}

/** The end of one socket. Its functions are to be called at once or not at all. */
export interface SocketEnd {
  key: SocketKey;
  isServer: () => boolean;
  socket: () => FlowSocket;
  /** The final counts; nothing where the system had already cleared them. */
  counts: () => FlowCounts | undefined;
}

export type OnResolved = (host: string, addresses: readonly string[], ttlSeconds: number) => void;

/** What a source notices between polls, where the system has events. */
export interface SourceEvents {
  /** A process on this machine has just begun to connect. */
  onConnecting: (socket: FlowSocket) => void;
  /** A socket is gone. Answers whether it had been seen before. */
  onClosed: (end: SocketEnd) => boolean;
}

/** A look that is not complete says nothing about sockets that it did not show. */
export type LookResult = { complete: boolean; problem?: string };

/** The sockets of this machine; one file per operating system. */
export interface FlowSource {
  /** Socket keys mean the same only within one scope (a boot, a network namespace). */
  scope: string;
  flowId: (key: SocketKey, startedAt: number) => string;
  /** Looks that must miss a socket before it counts as gone. */
  patience: number;
  look: (visitor: SocketVisitor) => Promise<LookResult>;
  /** A local port that a server on this machine accepts connections or packets on. */
  isServerPort: (protocol: 'tcp' | 'udp', port: number) => boolean;
  /** The processes that hold these socket inodes, as far as they may be seen. */
  findOwners: (inodes: ReadonlySet<number>) => Map<number, FlowOwner>;
  /** Names seen on the wire, where the agent may look at it. */
  names?: HostNames;
  close: () => void;
}

/** What there is on a system whose sockets cannot be seen: no flows, and the reason once. */
export function emptySource(problem: string): FlowSource {
  return {
    scope: 'none',
    flowId: String,
    patience: 1,
    look: async () => ({ complete: false, problem }),
    isServerPort: () => false,
    findOwners: () => new Map(),
    close: () => undefined,
  };
}

export interface SourceOptions extends SourceEvents {
  /** The catalog's name for a host, or nothing for a host that is not in the catalog. */
  isKnown: (name: string) => string | undefined;
  /** What a name server answered a program on this machine about a host of the catalog. */
  onResolved?: OnResolved | undefined;
  /** Of FlowMonitor, on macOS. */
  flowMonitor?: FlowMonitorPlace | undefined;
  /** What is wrong with the connection to it, in one line; null: nothing. */
  onMonitorProblem?: ((line: string | null) => void) | undefined;
  now: () => number;
}

export interface FlowMonitorPlace {
  /** Of its Unix socket. */
  path: string;
  /** The user that it runs as, root unless given. */
  owner?: number;
}
