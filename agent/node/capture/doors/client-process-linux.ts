import { setImmediate as nextTurn } from 'node:timers/promises';
import { ipBytes } from '#agent/core/capture/doors/ip-bytes.ts';
import type { FlowOwner } from '#agent/core/flow-table.ts';
import { addressFamily } from '#agent/node/flows/linux/sock-diag-message.ts';
import type { SocketEnds } from '#agent/node/flows/linux/sock-diag-message.ts';
import { openSockDiag } from '#agent/node/flows/linux/sock-diag-socket.ts';
import type { SockDiag } from '#agent/node/flows/linux/sock-diag-socket.ts';
import { createSocketOwners } from '#agent/node/flows/linux/socket-owners.ts';
import type { SocketOwners } from '#agent/node/flows/linux/socket-owners.ts';
import { createUserNames } from '#agent/node/flows/linux/users.ts';
import { deadlineMs, withinDeadline } from './client-process.ts';
import type { ClientFinder, ConnectionEnds } from './client-process.ts';
import { unknownClient } from './door.ts';
import type { ConnectionClient } from './door.ts';

/** The event loop is not kept longer than this. A client that is gone soon is found in the first. */
const sliceMs = 10;
const noInode = 0;

/**
 * The kernel returns the inode and the user of a socket between two endpoints at once. Its process is
 * searched for among the open files of all processes, the newest and recently found ones first.
 */
export function openLinuxClients(owners: SocketOwners = createSocketOwners()): ClientFinder {
  const diag = openSockDiag();
  if ('problem' in diag) return { find: async () => unknownClient, close: () => undefined };
  const search = createOwnerSearch(owners);
  const userName = createUserNames();
  // The first search takes ten times as long as others: better now than while a client waits.
  void search(noInode);

  let isClosed = false;
  return {
    async find(ends) {
      if (isClosed) return unknownClient;
      const { inode, user } = findSocket(diag, ends, userName);
      const known = { ...unknownClient, user };
      if (inode === noInode) return known;
      return withinDeadline(
        search(inode).then((owner) => describe(owner, user)),
        known,
      );
    },
    close() {
      if (!isClosed) diag.close();
      isClosed = true;
    },
  };
}

function findSocket(
  diag: SockDiag,
  ends: ConnectionEnds,
  userName: (uid: number) => string | null,
) {
  const found: { inode: number; user: string | null } = { inode: noInode, user: null };
  const kernelEnds = toKernelEnds(ends);
  if (!kernelEnds) return found;
  diag.find('tcp', kernelEnds, ({ inode, uid }) => {
    found.inode = inode;
    // A socket that its process has closed already reads as user 0.
    found.user = inode === noInode ? null : userName(uid);
  });
  return found;
}

function describe(owner: FlowOwner | undefined, user: string | null): ConnectionClient {
  if (!owner) return { ...unknownClient, user };
  const { pid, name, path, script = null } = owner;
  return { ...unknownClient, pid, process: name, path, script, user };
}

function toKernelEnds({ client, server }: ConnectionEnds): SocketEnds | undefined {
  const local = ipBytes(client.address);
  const remote = ipBytes(server.address);
  if (!local || local.length !== remote?.length) return undefined;
  const family = local.length === 4 ? addressFamily.v4 : addressFamily.v6;
  return { family, local, localPort: client.port, remote, port: server.port };
}

/**
 * Each search starts at once, for as long as one slice: that finds most. What is left of it comes
 * after what is left of others, so that the event loop is kept for one slice a turn.
 */
function createOwnerSearch(
  owners: SocketOwners,
): (inode: number) => Promise<FlowOwner | undefined> {
  let others: Promise<unknown> = Promise.resolve();

  return (inode) => {
    const startedAt = performance.now();
    const steps = owners.search(new Set([inode]));
    const first = runSlice(steps);
    if (first.done) return Promise.resolve(first.value.get(inode));
    const rest = others.then(async () => {
      while (performance.now() - startedAt < deadlineMs) {
        await nextTurn();
        const slice = runSlice(steps);
        if (slice.done) return slice.value.get(inode);
      }
      return undefined;
    });
    others = rest;
    return rest;
  };
}

function runSlice<T>(steps: Generator<void, T>): IteratorResult<void, T> {
  const until = performance.now() + sliceMs;
  for (;;) {
    const step = steps.next();
    if (step.done || performance.now() >= until) return step;
  }
}
