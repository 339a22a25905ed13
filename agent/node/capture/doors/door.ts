import type { Socket } from 'node:net';

/*
 * A door is a way in which connections reach the agent. What becomes of a connection is decided
 * behind it. Whatever fails, connections go where they would go without an agent.
 */

/** Who opened a connection, as far as it is known. */
export interface ConnectionClient {
  pid: number | null;
  /** The name that the process goes by. */
  process: string | null;
  /** The path of its executable. */
  path: string | null;
  /** Of an interpreter: where that comes from what it runs; see `appOfScript`. */
  script?: string | null;
  user: string | null;
  /** The identifier in the executable's code signature; only on macOS. */
  signingId: string | null;
}

export interface Destination {
  /** An address where a client connected to one, else the name. */
  host: string;
  port: number;
  /** The name that the client asked for, where it said so; TLS names the server again. */
  name: string | null;
}

/** A connection that came through a door. Nothing was read of the client's TLS bytes. */
export interface TakenConnection {
  /**
   * Paused (it reads after `resume()` or `pipe()`), allowHalfOpen, and without a listener to its
   * errors. Bytes that the door read too far were put back.
   */
  socket: Socket;
  destination: Destination;
  /** Resolves soon, after 250 ms at most with what is known by then. Never rejects. */
  client: Promise<ConnectionClient>;
}

export interface Door {
  name: 'transparent' | 'handed-over' | 'explicit';
  /**
   * The hosts enabled now, as names or `*.example.com` (one label below). Without any the door
   * diverts nothing. Resolves once that is in force, or cannot be. Never rejects.
   */
  setHosts: (hosts: readonly string[]) => Promise<void>;
  /** The answer of a name server that a program on this machine got, where the door can use it. */
  learn?: (host: string, addresses: readonly string[], ttlSeconds: number) => void;
  /** Takes no more. Connections handed out live on. */
  close: () => Promise<void>;
}

export interface DoorOptions {
  /** Called at once, so that listeners to the socket's events miss none. */
  onConnection: (taken: TakenConnection) => void;
  /** What is wrong with the door now, in one line; null: it works again. */
  onProblem: (line: string | null) => void;
}

export const unknownClient: ConnectionClient = {
  pid: null,
  process: null,
  path: null,
  user: null,
  signingId: null,
};

/** Passes a problem on when it is another one than before. */
export function sayChanges(onProblem: DoorOptions['onProblem']): DoorOptions['onProblem'] {
  let said: string | null = null;
  return (line) => {
    if (line === said) return;
    said = line;
    onProblem(line);
  };
}
