import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { lsofFields, readLsof } from '#agent/node/flows/source/lsof-output.ts';
import { readProgramPaths } from '#agent/node/flows/source/program-paths.ts';
import { withinDeadline } from './client-process.ts';
import type { ClientFinder, ConnectionEnds } from './client-process.ts';
import { unknownClient } from './door.ts';
import type { ConnectionClient } from './door.ts';

const run = promisify(execFile);

export function openDarwinClients(): ClientFinder {
  return {
    find: (ends) => withinDeadline(askLsof(ends), unknownClient),
    close: () => undefined,
  };
}

/** Asks lsof for the one socket, and ps for the path of its process. */
export async function askLsof({ client, server }: ConnectionEnds): Promise<ConnectionClient> {
  const args = ['-nP', `-iTCP:${client.port}`, '+c0', `-F${lsofFields}`];
  const { stdout } = await run('lsof', args);
  const match = readLsof(stdout).connected.find(
    ({ socket }) => socket.localPort === client.port && socket.port === server.port,
  );
  if (!match?.socket.owner) return unknownClient;
  const { owner, user } = match.socket;
  const path = (await readProgramPaths([owner.pid])).get(owner.pid) ?? null;
  return { ...unknownClient, pid: owner.pid, process: owner.name, path, user };
}
