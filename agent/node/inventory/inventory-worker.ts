import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { findHomes } from './homes.ts';
import { takeLowestPriority } from './lowest-priority.ts';
import { boundNotRead } from './report-limit.ts';
import { createScanner, type Inventory } from './scanner.ts';
import { openTree } from './tree.ts';
import { openWatcher } from './watching/watch.ts';
import { watchBelow } from './watching/watcher.ts';

export interface InventoryWork {
  root: string;
  /** How often the watches are polled, in ms. */
  watchEveryMs?: number | undefined;
}

/** What the thread says: a result of the scan it was asked for, or that one may find something. */
export type InventoryAnswer = { inventory: Inventory } | { failed: string } | { changed: true };

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const say = (answer: InventoryAnswer): void => parentPort?.postMessage(answer);

await takeLowestPriority();
const { root, watchEveryMs: everyMs } = workerData as InventoryWork;
const watcher = await openWatcher({ onChange: () => say({ changed: true }), everyMs });
const scanner = createScanner(openTree(root), { watcher: watchBelow(root, watcher) });

// A thread at rest collects nothing by itself: what a scan used would stay until the next one.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

async function scan(): Promise<InventoryAnswer> {
  try {
    const { homes, elsewhere, problems, notRead } = await findHomes({ root });
    const found = await scanner.scan(homes, { elsewhere });
    return {
      inventory: {
        ...found,
        problems: [...problems, ...found.problems],
        notRead: boundNotRead([...notRead, ...found.notRead]),
      },
    };
  } catch (error) {
    return { failed: (error as Error).message };
  }
}

async function answer(): Promise<void> {
  say(await scan());
  collect();
}

parentPort?.on('message', () => void answer());
