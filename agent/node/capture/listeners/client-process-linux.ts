import { setImmediate as nextTurn } from 'node:timers/promises';
import { ipBytes } from '#agent/core/capture/listeners/ip-bytes.ts';
import type { FlowOwner } from '#agent/core/flow-table.ts';
import { addressFamily } from '#agent/node/flows/linux/sock-diag-message.ts';
import type { SocketEndpoints } from '#agent/node/flows/linux/sock-diag-message.ts';
import { openSockDiag } from '#agent/node/flows/linux/sock-diag-socket.ts';
import type { SockDiag } from '#agent/node/flows/linux/sock-diag-socket.ts';
import { createSocketOwners } from '#agent/node/flows/linux/socket-owners.ts';
import type { SocketOwners } from '#agent/node/flows/linux/socket-owners.ts';
import { createUserNames } from '#agent/node/flows/linux/users.ts';
import { DEADLINE_MS, withDeadline } from './client-process.ts';
import type { ClientFinder, ConnectionEndpoints } from './client-process.ts';
import { unknownClient } from './capture-listener.ts';
import type { ConnectionClient } from './capture-listener.ts';

/**
 * The longest time that a search blocks the event loop. The first slice finds most short-lived
 * clients.
 */
const SLICE_MS = 10;
const NO_INODE = 0;

/**
 * The kernel returns the inode and the user of the socket between two endpoints at once. The
 * process is then searched for among the open files of all processes, the newest and recently found
 * ones first.
 */
export function openLinuxClients(owners: SocketOwners = createSocketOwners()): ClientFinder {
  const diag = openSockDiag();
  if ('error' in diag) return { find: async () => unknownClient, close: () => undefined };
  const search = createSlicedSearch(owners);
  const userName = createUserNames();
  // The first search takes ten times as long as later ones, so it runs before a client waits.
  void search(NO_INODE);

  let isClosed = false;
  return {
    async find(endpoints) {
      if (isClosed) return unknownClient;
      const { inode, user } = findSocket(diag, endpoints, userName);
      const fallback = { ...unknownClient, user };
      if (inode === NO_INODE) return fallback;
      return withDeadline(
        search(inode).then((owner) => describe(owner, user)),
        fallback,
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
  endpoints: ConnectionEndpoints,
  userName: (uid: number) => string | null,
) {
  const found: { inode: number; user: string | null } = { inode: NO_INODE, user: null };
  const socketEnds = toSocketEnds(endpoints);
  if (!socketEnds) return found;
  diag.find('tcp', socketEnds, ({ inode, uid }) => {
    found.inode = inode;
    // The kernel reports user 0 for a socket that its process has already closed.
    found.user = inode === NO_INODE ? null : userName(uid);
  });
  return found;
}

function describe(owner: FlowOwner | undefined, user: string | null): ConnectionClient {
  if (!owner) return { ...unknownClient, user };
  const { pid, name, path, script = null } = owner;
  return { ...unknownClient, pid, process: name, path, script, user };
}

function toSocketEnds({ client, server }: ConnectionEndpoints): SocketEndpoints | undefined {
  const local = ipBytes(client.address);
  const remote = ipBytes(server.address);
  if (!local || local.length !== remote?.length) return undefined;
  const family = local.length === 4 ? addressFamily.v4 : addressFamily.v6;
  return { family, local, localPort: client.port, remote, port: server.port };
}

/**
 * Runs the first slice of each search at once, which is mostly enough. The remaining slices run
 * after those of other searches, so that each turn of the event loop runs one slice.
 */
function createSlicedSearch(
  owners: SocketOwners,
): (inode: number) => Promise<FlowOwner | undefined> {
  let previousSearch: Promise<unknown> = Promise.resolve();

  return (inode) => {
    const startedAt = performance.now();
    const steps = owners.search(new Set([inode]));
    const first = runSlice(steps);
    if (first.done) return Promise.resolve(first.value.get(inode));
    const remainder = previousSearch.then(async () => {
      while (performance.now() - startedAt < DEADLINE_MS) {
        await nextTurn();
        const slice = runSlice(steps);
        if (slice.done) return slice.value.get(inode);
      }
      return undefined;
    });
    previousSearch = remainder;
    return remainder;
  };
}

function runSlice<T>(steps: Generator<void, T>): IteratorResult<void, T> {
  const until = performance.now() + SLICE_MS;
  for (;;) {
    const step = steps.next();
    if (step.done || performance.now() >= until) return step;
  }
}
