import { execFile } from 'node:child_process';
import { LSOF_FIELDS, readLsof } from '#agent/node/flows/source/lsof-output.ts';
import { readProgramPaths } from '#agent/node/flows/source/program-paths.ts';
import type { ClientFinder, ConnectionEndpoints } from './client-process.ts';
import { describeSearchFailure, NOT_VISIBLE } from './search-failure.ts';
import type { OnSearchFailure } from './search-failure.ts';
import { unknownClient } from './capture-listener.ts';
import type { ConnectionClient } from './capture-listener.ts';

/**
 * The time after which a search is given up. Only clients of the explicit proxy wait for lsof:
 * ProxyMonitor reports the process of a flow itself.
 */
const DEADLINE_MS = 250;
/** The maximum number of lsof at once, including killed ones that have not ended yet. */
const MAX_CONCURRENT = 4;

export interface DarwinClientsOptions {
  onFailure?: OnSearchFailure;
  deadlineMs?: number;
}

/** Finds sockets with lsof, and the paths of their processes with ps. */
export function openDarwinClients(options: DarwinClientsOptions = {}): ClientFinder {
  const { onFailure = () => undefined, deadlineMs = DEADLINE_MS } = options;
  const slots = createSlots(MAX_CONCURRENT);
  const running = new Set<AbortController>();
  let isClosed = false;

  async function search(endpoints: ConnectionEndpoints): Promise<ConnectionClient> {
    const controller = new AbortController();
    const abort = (): void =>
      controller.abort(new Error(`lsof takes longer than ${deadlineMs} ms`));
    const timer = setTimeout(abort, deadlineMs);
    running.add(controller);
    try {
      return await findWithLsof(endpoints, slots, controller.signal);
    } finally {
      clearTimeout(timer);
      running.delete(controller);
    }
  }

  return {
    find: async (endpoints) => {
      if (isClosed) return unknownClient;
      try {
        return await search(endpoints);
      } catch (error) {
        if (!isClosed) onFailure(describeSearchFailure(error));
        return unknownClient;
      }
    },
    close: () => {
      isClosed = true;
      for (const controller of running) controller.abort(new Error('closed'));
    },
  };
}

async function findWithLsof(
  { client, server }: ConnectionEndpoints,
  slots: Slots,
  signal: AbortSignal,
): Promise<ConnectionClient> {
  await slots.take(signal);
  const args = ['-nPw', `-iTCP:${client.port}`, '+c0', `-F${LSOF_FIELDS}`];
  const output = await runLsof(args, signal, slots.release);
  const match = readLsof(output).connected.find(
    ({ socket }) => socket.localPort === client.port && socket.port === server.port,
  );
  if (!match?.socket.owner) {
    if (process.geteuid?.() !== 0) throw new Error(NOT_VISIBLE);
    return unknownClient;
  }
  const { owner, user } = match.socket;
  const path = (await readProgramPaths([owner.pid], signal)).get(owner.pid) ?? null;
  return { ...unknownClient, pid: owner.pid, process: owner.name, path, user };
}

/**
 * Resolves with the output. When the signal is aborted, lsof is killed and the promise rejects at
 * once. `onEnd` is called when the process has ended.
 */
function runLsof(args: string[], signal: AbortSignal, onEnd: () => void): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  try {
    const child = execFile('lsof', args, (error, stdout, stderr) => {
      signal.removeEventListener('abort', abort);
      if (child.pid === undefined) onEnd();
      if (error?.code === 'ENOENT') reject(new Error('lsof is not installed'));
      // lsof exits with 1 when there is no such socket.
      else if (error && (error.code !== 1 || stderr !== ''))
        reject(
          new Error(stderr.split('\n', 1)[0] || `lsof failed (${error.code ?? error.signal})`),
        );
      else resolve(stdout);
    });
    const abort = (): void => {
      child.kill('SIGKILL');
      reject(signal.reason as Error);
    };
    child.once('exit', onEnd);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  } catch (error) {
    onEnd();
    reject(error);
  }
  return promise;
}

interface Slots {
  /** Resolves when a slot is free. Rejects when the signal is aborted before. */
  take: (signal: AbortSignal) => Promise<void>;
  release: () => void;
}

function createSlots(count: number): Slots {
  let free = count;
  const waiting = new Set<() => void>();
  return {
    take: async (signal) => {
      signal.throwIfAborted();
      if (free > 0) return void (free -= 1);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const abort = (): void => {
        if (waiting.delete(resolve)) reject(signal.reason as Error);
      };
      waiting.add(resolve);
      signal.addEventListener('abort', abort, { once: true });
      await promise;
      signal.removeEventListener('abort', abort);
    },
    release: () => {
      const [next] = waiting;
      if (!next) return void (free += 1);
      waiting.delete(next);
      next();
    },
  };
}
