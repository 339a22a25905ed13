import { Worker } from 'node:worker_threads';
import { MINUTE_MS } from '#lib/time-units.ts';
import { createSignal, type Signal } from '../signal.ts';
import type { InventoryMessage, InventoryWorkerData, ScanRequest } from './inventory-worker.ts';
import type { Inventory } from './scanner.ts';

export interface ScanThread {
  /** Rejects with an error of Node if the scan needs more memory than the thread may use. */
  scan: (request: ScanRequest, signal: AbortSignal) => Promise<ScanResult>;
  /** The homes that the latest scan found, scanned or not. */
  homes: () => readonly string[];
  /** Emits once, until the next scan, when a scan may find a change. */
  changed: Pick<Signal, 'subscribe'>;
  stop: () => Promise<void>;
}

export interface ScanResult {
  inventory: Inventory;
  /** The JavaScript heap in use after the scan. */
  heapBytes: number;
}

export interface ScanThreadOptions extends Partial<InventoryWorkerData> {
  /** The time in ms after which a scan is abandoned because a file system does not respond. */
  timeoutMs?: number;
  /** The limit of the JavaScript heap. A home with 200,000 files needs a quarter of the default. */
  maxHeapMb?: number;
  program?: URL;
}

const TEN_MINUTES_MS = 10 * MINUTE_MS;
const MAX_HEAP_MB = 128;

/** The worker program: run from source, or a file beside the bundle. */
const inventoryWorker = new URL(
  import.meta.url.endsWith('.ts') ? './inventory-worker.ts' : './inventory-worker.js',
  import.meta.url,
);

export const isOutOfMemory = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';

/**
 * A thread of the lowest priority for scans, which keeps its results and watches their files. It
 * starts with the first scan and is restarted after a failure.
 */
export function createScanThread(options: ScanThreadOptions = {}): ScanThread {
  const {
    timeoutMs = TEN_MINUTES_MS,
    maxHeapMb = MAX_HEAP_MB,
    program = inventoryWorker,
    root = '/',
    watchIntervalMs,
  } = options;
  const workerData: InventoryWorkerData = { root, watchIntervalMs };
  const resourceLimits = { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: 8 };
  const changed = createSignal();
  let worker: Worker | null = null;
  let homes: readonly string[] = [];
  let isStuck = false;

  const start = (): Worker => {
    const started = new Worker(program, { resourceLimits, workerData });
    started.unref();
    started.on('message', (message: InventoryMessage) => {
      if ('changed' in message) changed.emit();
      if ('homes' in message) ({ homes } = message);
    });
    const forget = (): void => {
      if (worker === started) worker = null;
    };
    // Without a listener, an error would end the agent. A pending scan has its own listener.
    started.on('error', forget);
    started.on('exit', () => {
      forget();
      isStuck = false;
    });
    return started;
  };

  const giveUp = (): void => {
    // A thread that waits for a file system cannot be terminated until the file system responds.
    isStuck = true;
    void worker?.terminate();
    worker = null;
  };

  const scan: ScanThread['scan'] = (request, signal) => {
    if (isStuck)
      return Promise.reject(new Error('the previous scan still waits for a file system'));
    const running = (worker ??= start());
    const { promise, resolve, reject } = Promise.withResolvers<ScanResult>();
    const onMessage = (message: InventoryMessage): void => {
      if ('inventory' in message) resolve(message);
      if ('failed' in message) reject(new Error(message.failed));
    };
    const onExit = (): void => reject(new Error('the scan thread ended'));
    const onAbort = (): void => {
      giveUp();
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      giveUp();
      reject(new Error(`not done within ${timeoutMs / 1000} s: a file system does not answer`));
    }, timeoutMs);
    timer.unref();
    running.on('message', onMessage).on('error', reject).on('exit', onExit);
    signal.addEventListener('abort', onAbort, { once: true });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    running.postMessage(request);
    return promise.finally(() => {
      clearTimeout(timer);
      running.off('message', onMessage).off('error', reject).off('exit', onExit);
      signal.removeEventListener('abort', onAbort);
    });
  };

  return {
    scan,
    homes: () => homes,
    changed,
    stop: async () => void (isStuck || (await worker?.terminate())),
  };
}
