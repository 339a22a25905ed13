import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { LSOF_FIELDS, readLsof } from '#agent/node/flows/source/lsof-output.ts';
import { readProgramPaths } from '#agent/node/flows/source/program-paths.ts';
import type { ClientFinder, ConnectionEndpoints } from './client-process.ts';
import { unknownClient } from './capture-listener.ts';
import type { ConnectionClient } from './capture-listener.ts';

const run = promisify(execFile);

/**
 * The time after which the process is unknown. Only clients of the explicit proxy wait for lsof:
 * ProxyMonitor reports the process of a flow itself.
 */
const DEADLINE_MS = 250;

export function openDarwinClients(): ClientFinder {
  return {
    find: (endpoints) => withDeadline(findWithLsof(endpoints)),
    close: () => undefined,
  };
}

/** Returns the result of `search` if it arrives within the deadline, else an unknown client. */
export async function withDeadline(search: Promise<ConnectionClient>): Promise<ConnectionClient> {
  const { promise, resolve } = Promise.withResolvers<ConnectionClient>();
  const timer = setTimeout(() => resolve(unknownClient), DEADLINE_MS);
  search.then(resolve, () => resolve(unknownClient));
  const client = await promise;
  clearTimeout(timer);
  return client;
}

/** Finds the socket with lsof, and the path of its process with ps. */
export async function findWithLsof({
  client,
  server,
}: ConnectionEndpoints): Promise<ConnectionClient> {
  const args = ['-nP', `-iTCP:${client.port}`, '+c0', `-F${LSOF_FIELDS}`];
  const { stdout } = await run('lsof', args);
  const match = readLsof(stdout).connected.find(
    ({ socket }) => socket.localPort === client.port && socket.port === server.port,
  );
  if (!match?.socket.owner) return unknownClient;
  const { owner, user } = match.socket;
  const path = (await readProgramPaths([owner.pid])).get(owner.pid) ?? null;
  return { ...unknownClient, pid: owner.pid, process: owner.name, path, user };
}
