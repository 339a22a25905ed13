import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { LSOF_FIELDS, readLsof } from '#agent/node/flows/source/lsof-output.ts';
import { readProgramPaths } from '#agent/node/flows/source/program-paths.ts';
import { withDeadline } from './client-process.ts';
import type { ClientFinder, ConnectionEndpoints } from './client-process.ts';
import { unknownClient } from './capture-listener.ts';
import type { ConnectionClient } from './capture-listener.ts';

const run = promisify(execFile);

export function openDarwinClients(): ClientFinder {
  return {
    find: (endpoints) => withDeadline(findWithLsof(endpoints), unknownClient),
    close: () => undefined,
  };
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
