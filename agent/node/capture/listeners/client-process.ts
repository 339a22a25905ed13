import type { ConnectionClient } from './capture-listener.ts';

export interface Endpoint {
  address: string;
  port: number;
}

/** Both ends of the client's own socket, as the client sees them. */
export interface ConnectionEndpoints {
  client: Endpoint;
  server: Endpoint;
}

/** Finds the process that opened a connection from this machine. */
export interface ClientFinder {
  /**
   * Resolves with what is known within 250 ms; on Linux after 250 ms of CPU time of this search, and
   * within two seconds. Never rejects.
   */
  find: (ends: ConnectionEndpoints) => Promise<ConnectionClient>;
  close: () => void;
}
