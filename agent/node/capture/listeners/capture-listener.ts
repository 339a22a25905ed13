import type { Socket } from 'node:net';
import type { OnSearchFailure } from './search-failure.ts';

/*
 * A capture listener is one way in which connections reach the agent. The interceptor decides what
 * happens to a connection. Whatever fails, connections go where they would go without an agent.
 */

/** The process that opened a connection, as far as it is known. */
export interface ConnectionClient {
  pid: number | null;
  /** The name of the process. */
  process: string | null;
  /** The path of its executable. */
  path: string | null;
  /** The script that an interpreter runs; see `appOfScript`. */
  script?: string | null;
  user: string | null;
  /** The identifier in the executable's code signature; only on macOS. */
  signingId: string | null;
}

/** The client's socket of a connection that the kernel redirected, as the client itself sees it. */
export interface RedirectedSocket {
  localAddress: string;
  localPort: number;
  /** The address of the server. */
  address: string;
  port: number;
}

/** A redirected connection that has named its server. */
export interface NamedConnection extends RedirectedSocket {
  /** Null: it is not TLS, or has no name. */
  name: string | null;
  /** The agent itself made it. */
  isOwn: boolean;
}

export interface Destination {
  /** The address that the client connected to, or the host name if the client gave only a name. */
  host: string;
  port: number;
  /**
   * The host name that the client requested, if any; the TLS ClientHello names the server again.
   */
  name: string | null;
  /** The diverted hosts that have this address, as far as the listener knows them. */
  hosts?: readonly string[];
}

/** A connection from a capture listener. No TLS byte of the client was read. */
export interface InterceptedConnection {
  /**
   * Paused (it reads after `resume()` or `pipe()`), allowHalfOpen, and without a listener to its
   * errors. Bytes that the listener read beyond its header were put back.
   */
  socket: Socket;
  destination: Destination;
  /** Only for connections that the kernel redirected. */
  redirected?: RedirectedSocket;
  /** Resolves within two seconds, with what is known by then. Never rejects. */
  client: Promise<ConnectionClient>;
}

export interface CaptureListener {
  name: 'transparent' | 'handed-over' | 'explicit';
  /**
   * Sets the enabled hosts, as names or `*.example.com` (one label below). With an empty list the
   * listener diverts nothing. Resolves once that is applied or has failed. Never rejects.
   */
  setHosts: (hosts: readonly string[]) => Promise<void>;
  /** Records a DNS response that a program on this machine received, if the listener can use it. */
  addResolved?: (host: string, addresses: readonly string[], ttlSeconds: number) => void;
  /** Accepts no more connections. Accepted ones stay open. */
  close: () => Promise<void>;
}

export interface CaptureListenerOptions {
  /** Called at once, so that listeners to the socket's events miss none. */
  onConnection: (connection: InterceptedConnection) => void;
  /** The current problem of the listener, in one line; null: it works again. */
  onProblem: (line: string | null) => void;
  /** Called with one line whenever the search for the process of a connection fails. */
  onSearchFailure?: OnSearchFailure | undefined;
}

export const unknownClient: ConnectionClient = {
  pid: null,
  process: null,
  path: null,
  user: null,
  signingId: null,
};

/** Reports a problem only when it differs from the last one. */
export function reportChanges(
  onProblem: CaptureListenerOptions['onProblem'],
): CaptureListenerOptions['onProblem'] {
  let lastReported: string | null = null;
  return (line) => {
    if (line === lastReported) return;
    lastReported = line;
    onProblem(line);
  };
}
