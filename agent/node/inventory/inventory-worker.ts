import { setFlagsFromString } from 'node:v8';
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

/** Messages of the thread: the result of a scan, or that a scan may find a change. */
export type InventoryMessage = { inventory: Inventory } | { failed: string } | { changed: true };

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const send = (message: InventoryMessage): void => parentPort?.postMessage(message);

await setLowestPriority();
const { root, watchIntervalMs: intervalMs } = workerData as InventoryWorkerData;
const watcher = await openWatcher({ onChange: () => send({ changed: true }), intervalMs });
const scanner = createScanner(openTree(root), { watcher: watchBelow(root, watcher) });

// An idle thread does not collect garbage, so the memory of a scan would stay until the next one.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

async function scan(): Promise<InventoryMessage> {
  try {
    const { homes, remoteMounts, problems, notRead } = await findHomes({ root });
    const found = await scanner.scan(homes, { remoteMounts });
    return {
      inventory: {
        ...found,
        problems: [...problems, ...found.problems],
        notRead: limitNotRead([...notRead, ...found.notRead]),
      },
    };
  } catch (error) {
    return { failed: (error as Error).message };
  }
}

async function respond(): Promise<void> {
  send(await scan());
  collectGarbage();
}

parentPort?.on('message', () => void respond());
