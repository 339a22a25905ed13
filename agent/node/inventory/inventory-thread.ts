import { DAY_MS } from '#lib/time-units.ts';
import {
  createScanThread,
  isOutOfMemory,
  type ScanThread,
  type ScanThreadOptions,
} from './scan-thread.ts';
import type { Inventory } from './scanner.ts';

export interface InventoryThread extends Pick<ScanThread, 'changed' | 'stop'> {
  scan: (signal: AbortSignal) => Promise<Inventory>;
}

/** The time after which homes that were too large are scanned again. */
const EXCLUDED_MS = DAY_MS;

/**
 * Scans on a thread of its own. If the homes need more memory than it may use, each is scanned
 * alone, and those that need the most are left out for a day, with a line in the problems: no user
 * can hide the apps of others with files of their own.
 */
export function createInventoryThread(options: ScanThreadOptions = {}): InventoryThread {
  const thread = createScanThread(options);
  let excluded: readonly string[] = [];
  let excludedAt = -Infinity;

  const scanAll = async (signal: AbortSignal): Promise<Inventory> =>
    (await thread.scan({ excluded }, signal)).inventory;

  const scan = async (signal: AbortSignal): Promise<Inventory> => {
    if (performance.now() - excludedAt >= EXCLUDED_MS) excluded = [];
    try {
      return await scanAll(signal);
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      return scanWithoutLargest(error, signal);
    }
  };

  const scanWithoutLargest = async (reason: unknown, signal: AbortSignal): Promise<Inventory> => {
    const homes = thread.homes().filter((dir) => !excluded.includes(dir));
    const [largest, ...others] = await byMemory(thread, homes, signal);
    if (!largest) throw reason;
    const tooLarge = others.filter(({ heapBytes }) => heapBytes === Infinity);
    excluded = [...excluded, largest.dir, ...tooLarge.map(({ dir }) => dir)];
    excludedAt = performance.now();
    return scan(signal);
  };

  return { scan, changed: thread.changed, stop: thread.stop };
}

/** Homes with the memory that a scan of each alone needs, the largest first. */
async function byMemory(thread: ScanThread, homes: readonly string[], signal: AbortSignal) {
  const found: { dir: string; heapBytes: number }[] = [];
  for (const only of homes)
    found.push({ dir: only, heapBytes: await memoryOf(thread, only, signal) });
  return found.toSorted((a, b) => (a.heapBytes < b.heapBytes ? 1 : -1));
}

async function memoryOf(thread: ScanThread, only: string, signal: AbortSignal): Promise<number> {
  try {
    return (await thread.scan({ excluded: [], only }, signal)).heapBytes;
  } catch (error) {
    if (isOutOfMemory(error)) return Infinity;
    throw error;
  }
}
