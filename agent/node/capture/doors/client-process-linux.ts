import { setImmediate as nextTurn } from 'node:timers/promises';
import { ipBytes } from '#agent/core/capture/doors/ip-bytes.ts';
import type { FlowOwner } from '#agent/core/flow-table.ts';
import { addressFamily } from '#agent/node/flows/linux/sock-diag-message.ts';
import type { SocketEnds } from '#agent/node/flows/linux/sock-diag-message.ts';
import { openSockDiag } from '#agent/node/flows/linux/sock-diag-socket.ts';
import type { SockDiag } from '#agent/node/flows/linux/sock-diag-socket.ts';
import { createSocketOwners } from '#agent/node/flows/linux/socket-owners.ts';
import { createUserNames } from '#agent/node/flows/linux/users.ts';
import { withinDeadline } from './client-process.ts';
import type { ClientFinder, ConnectionEnds } from './client-process.ts';
import { unknownClient } from './door.ts';
import type { ConnectionClient } from './door.ts';

/** The event loop is not kept longer than this. */
const sliceMs = 5;

/**
 * The kernel tells the inode and the user of a socket between two ends at once; which process holds
 * it is searched among the open files of all, the latest and those found lately first.
 */
export function openLinuxClients(): ClientFinder {
  const diag = openSockDiag();
  if ('problem' in diag) return { find: async () => unknownClient, close: () => undefined };
  const search = createOwnerSearch();
  const userName = createUserNames();

  return {
    async find(ends) {
      const { inode, user } = findSocket(diag, ends, userName);
      const known = { ...unknownClient, user };
      if (inode === 0) return known;
      return withinDeadline(
        search(inode).then((owner) => describe(owner, user)),
        known,
      );
    },
    close: diag.close,
  };
}

function findSocket(
  diag: SockDiag,
  ends: ConnectionEnds,
  userName: (uid: number) => string | null,
) {
  const found: { inode: number; user: string | null } = { inode: 0, user: null };
  const kernelEnds = toKernelEnds(ends);
  if (!kernelEnds) return found;
  diag.find('tcp', kernelEnds, ({ inode, uid }) => {
    found.inode = inode;
    // A socket that its process has closed already reads as user 0.
    found.user = inode === 0 ? null : userName(uid);
  });
  return found;
}

function describe(owner: FlowOwner | undefined, user: string | null): ConnectionClient {
  if (!owner) return { ...unknownClient, user };
  return { ...unknownClient, pid: owner.pid, process: owner.name, path: owner.path, user };
}

function toKernelEnds({ client, server }: ConnectionEnds): SocketEnds | undefined {
  const local = ipBytes(client.address);
  const remote = ipBytes(server.address);
  if (!local || local.length !== remote?.length) return undefined;
  const family = local.length === 4 ? addressFamily.v4 : addressFamily.v6;
  return { family, local, localPort: client.port, remote, port: server.port };
}

/** One search at a time, for all sockets wanted when it starts: it costs as much as for one. */
function createOwnerSearch(): (inode: number) => Promise<FlowOwner | undefined> {
  const owners = createSocketOwners();
  const wanted = new Map<number, PromiseWithResolvers<FlowOwner | undefined>>();
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    while (wanted.size > 0) {
      const batch = new Map(wanted);
      wanted.clear();
      const found = await inSlices(owners.search(new Set(batch.keys())));
      for (const [inode, { resolve }] of batch) resolve(found.get(inode));
    }
    isRunning = false;
  }

  return (inode) => {
    const answer = wanted.get(inode) ?? Promise.withResolvers<FlowOwner | undefined>();
    wanted.set(inode, answer);
    if (!isRunning) void run();
    return answer.promise;
  };
}

async function inSlices<T>(steps: Generator<void, T>): Promise<T> {
  for (let until = performance.now() + sliceMs; ;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() < until) continue;
    await nextTurn();
    until = performance.now() + sliceMs;
  }
}
