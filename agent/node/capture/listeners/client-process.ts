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
  /** Resolves within 250 ms with what is known by then. Never rejects. */
  find: (ends: ConnectionEndpoints) => Promise<ConnectionClient>;
  close: () => void;
}

export const DEADLINE_MS = 250;

/** Returns the result of `search` if it arrives within the deadline, else the fallback. */
export async function withDeadline(
  search: Promise<ConnectionClient>,
  fallback: ConnectionClient,
): Promise<ConnectionClient> {
  const { promise, resolve } = Promise.withResolvers<ConnectionClient>();
  const timer = setTimeout(() => resolve(fallback), DEADLINE_MS);
  search.then(resolve, () => resolve(fallback));
  const client = await promise;
  clearTimeout(timer);
  return client;
}
