import { unknownClient } from './door.ts';
import type { ConnectionClient } from './door.ts';

export interface SocketEnd {
  address: string;
  port: number;
}

/** Both ends of the client's own socket, as the client sees them. */
export interface ConnectionEnds {
  client: SocketEnd;
  server: SocketEnd;
}

/** Finds the process that opened a connection from this machine. */
export interface ClientFinder {
  /** Resolves within 250 ms with what is known by then. Never rejects. */
  find: (ends: ConnectionEnds) => Promise<ConnectionClient>;
  close: () => void;
}

const noFinder: ClientFinder = { find: async () => unknownClient, close: () => undefined };

/** Loaded only where they run: each binds what its own system has. */
const openers: Partial<Record<string, () => Promise<ClientFinder>>> = {
  linux: async () => (await import('./client-process-linux.ts')).openLinuxClients(),
  darwin: async () => (await import('./client-process-darwin.ts')).openDarwinClients(),
};

export async function openClientFinder(system: string = process.platform): Promise<ClientFinder> {
  return (await openers[system]?.()) ?? noFinder;
}

export const deadlineMs = 250;

/** What `search` finds in time, else what was known before. */
export async function withinDeadline(
  search: Promise<ConnectionClient>,
  known: ConnectionClient,
): Promise<ConnectionClient> {
  const { promise, resolve } = Promise.withResolvers<ConnectionClient>();
  const timer = setTimeout(() => resolve(known), deadlineMs);
  search.then(resolve, () => resolve(known));
  const client = await promise;
  clearTimeout(timer);
  return client;
}
