import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { findHomes } from './homes.ts';
import { setLowestPriority } from './lowest-priority.ts';
import { limitNotRead } from './report-limit.ts';
import { createScanner, type Inventory } from './scanner.ts';
import { openTree } from './tree.ts';
import { openWatcher } from './watching/watch.ts';
import { watchBelow } from './watching/watcher.ts';

export interface InventoryWorkerData {
  root: string;
  /** The interval in ms at which the watches are polled. */
  watchIntervalMs?: number | undefined;
}

/** A message to the thread: scan all homes except these, or a single one. */
export interface ScanRequest {
  /** Homes that are not scanned, because their scan does not fit in memory. */
  excluded: readonly string[];
  only?: string | undefined;
}

/**
 * Messages of the thread: the homes of a scan before it starts, its result with the JavaScript heap
 * in use after it, or that a scan may find a change.
 */
export type InventoryMessage =
  | { homes: string[] }
  | { inventory: Inventory; heapBytes: number }
  | { failed: string }
  | { changed: true };

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const send = (message: InventoryMessage): void => parentPort?.postMessage(message);

await setLowestPriority();
const { root, watchIntervalMs: intervalMs } = workerData as InventoryWorkerData;
const watcher = await openWatcher({ onChange: () => send({ changed: true }), intervalMs });
const scanner = createScanner(openTree(root), { watcher: watchBelow(root, watcher) });

// An idle thread does not collect garbage, so the memory of a scan would stay until the next one.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const TOO_LARGE = 'its scan takes more memory than a scan may use';

async function scan({ excluded, only }: ScanRequest): Promise<Inventory> {
  const { homes, remoteMounts, problems, notRead } = await findHomes({ root });
  send({ homes: homes.map(({ dir }) => dir) });
  const left = homes.filter(({ dir }) => excluded.includes(dir));
  const scanned = homes.filter(({ dir }) => !excluded.includes(dir) && (only ?? dir) === dir);
  const found = await scanner.scan(scanned, { remoteMounts });
  const notScanned = left.map(({ dir }) => ({ kind: null, path: `${dir}/`, reason: TOO_LARGE }));
  return {
    apps: found.apps,
    problems: [...problems, ...left.map(({ dir }) => `${dir}: ${TOO_LARGE}`), ...found.problems],
    notRead: limitNotRead([...notScanned, ...notRead, ...found.notRead]),
  };
}

async function respond(request: ScanRequest): Promise<void> {
  try {
    const inventory = await scan(request);
    collectGarbage();
    send({ inventory, heapBytes: getHeapStatistics().used_heap_size });
  } catch (error) {
    send({ failed: (error as Error).message });
  }
}

parentPort?.on('message', (request: ScanRequest) => void respond(request));
