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
import type { ClientFinder, ConnectionEndpoints } from './client-process.ts';
import { describeSearchFailure, NOT_VISIBLE } from './search-failure.ts';
import type { OnSearchFailure } from './search-failure.ts';
import { unknownClient } from './capture-listener.ts';
import type { ConnectionClient } from './capture-listener.ts';

/**
 * The longest time that a search blocks the event loop. The first slice finds most short-lived
 * clients.
 */
const SLICE_MS = 10;
/**
 * The CPU time after which a search is given up. Only its own slices count, neither those of other
 * searches nor the other work of the thread. A single search keeps the thread busy, so on an idle
 * machine this is also the elapsed time. On a busy one it takes longer, and the search still gets as
 * far.
 */
const CPU_LIMIT_MS = 250;
/**
 * The elapsed time after which a search is given up too, also if it only waited for other searches.
 * The client waits for its TLS handshake meanwhile: the Python SDK of OpenAI for 5 s
 * (`DEFAULT_TIMEOUT`, openai/openai-python@04448952 src/openai/_constants.py), which must suffice
 * for the handshake with the server too.
 */
const WAIT_LIMIT_MS = 2_000;
const NO_INODE = 0;

export interface LinuxClientsOptions {
  owners?: SocketOwners;
  clocks?: SearchClocks;
  userName?: (uid: number) => string | null;
  onFailure?: OnSearchFailure;
}

export interface SearchClocks {
  /** The elapsed time in ms. */
  elapsedMs: () => number;
  /** The CPU time of this thread in ms. */
  cpuMs: () => number;
}

const systemClocks: SearchClocks = {
  elapsedMs: () => performance.now(),
  cpuMs: () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  },
};

/**
 * The kernel returns the inode and the user of the socket between two endpoints at once. The
 * process is then searched for among the open files of all processes, the newest and recently found
 * ones first.
 */
export function openLinuxClients(options: LinuxClientsOptions = {}): ClientFinder {
  const { owners = createSocketOwners(), clocks = systemClocks } = options;
  const { userName = createUserNames(), onFailure = () => undefined } = options;
  const reportFailure = (error: unknown): void => onFailure(describeSearchFailure(error));
  const diag = openSockDiag();
  if ('error' in diag) {
    reportFailure(new Error(diag.error));
    return { find: async () => unknownClient, close: () => undefined };
  }
  const search = createSlicedSearch(owners, clocks);
  // The first search takes ten times as long as later ones, so it runs before a client waits.
  void search(NO_INODE).catch(() => undefined);
  let isClosed = false;

  /** Resolves to undefined after a failure, so that the rest is found all the same. */
  async function attempt<T>(work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      reportFailure(error);
      return undefined;
    }
  }

  return {
    async find(endpoints) {
      if (isClosed) return unknownClient;
      const found = await attempt(() => findSocket(diag, endpoints));
      if (!found) return unknownClient;
      const { inode, uid } = found;
      const owner = await attempt(() => search(inode));
      if (!owner && !maySee(uid)) reportFailure(new Error(NOT_VISIBLE));
      return describe(owner, (await attempt(() => userName(uid))) ?? null);
    },
    close() {
      if (!isClosed) diag.close();
      isClosed = true;
    },
  };
}

/** The socket between two endpoints; undefined if its process has closed it. */
function findSocket(
  diag: SockDiag,
  endpoints: ConnectionEndpoints,
): { inode: number; uid: number } | undefined {
  const socketEnds = toSocketEnds(endpoints);
  if (!socketEnds) return undefined;
  let found: { inode: number; uid: number } | undefined;
  diag.find('tcp', socketEnds, ({ inode, uid }) => {
    // The kernel reports user 0 for a socket that its process has already closed.
    if (inode !== NO_INODE) found = { inode, uid };
  });
  return found;
}

/** Whether this agent may read the open files of the user's processes. */
function maySee(uid: number): boolean {
  const own = process.geteuid?.();
  return own === 0 || own === uid;
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
  clocks: SearchClocks,
): (inode: number) => Promise<FlowOwner | undefined> {
  let previousSearch: Promise<unknown> = Promise.resolve();

  return async (inode) => {
    const { runSlice, isOverLimit } = withLimits(owners.search(new Set([inode])), clocks);
    const first = runSlice();
    if (first.done) return first.value.get(inode);
    const remainder = previousSearch.then(async () => {
      while (!isOverLimit()) {
        await nextTurn();
        const slice = runSlice();
        if (slice.done) return slice.value.get(inode);
      }
      throw new Error('the search takes too long');
    });
    previousSearch = remainder.catch(() => undefined);
    return remainder;
  };
}

function withLimits<T>(steps: Generator<void, T>, { elapsedMs, cpuMs }: SearchClocks) {
  const startedAt = elapsedMs();
  let usedCpuMs = 0;
  return {
    runSlice: (): IteratorResult<void, T> => {
      const cpuBefore = cpuMs();
      const until = elapsedMs() + SLICE_MS;
      let step;
      do step = steps.next();
      while (!step.done && elapsedMs() < until);
      usedCpuMs += cpuMs() - cpuBefore;
      return step;
    },
    isOverLimit: () => usedCpuMs >= CPU_LIMIT_MS || elapsedMs() - startedAt >= WAIT_LIMIT_MS,
  };
}
