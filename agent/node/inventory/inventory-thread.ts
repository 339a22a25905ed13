import { Worker } from 'node:worker_threads';
import { MINUTE_MS } from '#lib/time-units.ts';
import { createSignal, type Signal } from '../signal.ts';
import type { InventoryMessage, InventoryWorkerData } from './inventory-worker.ts';
import type { Inventory } from './scanner.ts';

export interface InventoryThread {
  scan: (signal: AbortSignal) => Promise<Inventory>;
  /** Emits once, until the next scan, when a scan may find a change. */
  changed: Pick<Signal, 'subscribe'>;
  stop: () => Promise<void>;
}

export interface InventoryThreadOptions extends Partial<InventoryWorkerData> {
  /** The time in ms after which a scan is abandoned because a file system does not respond. */
  timeoutMs?: number;
  program?: URL;
}

const TEN_MINUTES_MS = 10 * MINUTE_MS;

/**
 * The memory limits. A home with 200,000 files needs a quarter of them. They protect the machine
 * from a hostile home.
 */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 };

/** The worker program: run from source, or a file beside the bundle. */
const inventoryWorker = new URL(
  import.meta.url.endsWith('.ts') ? './inventory-worker.ts' : './inventory-worker.js',
  import.meta.url,
);

/**
 * Scans on a dedicated thread of the lowest priority, which keeps its results and watches their
 * files. The thread starts with the first scan and is restarted after a failure.
 */
export function createInventoryThread(options: InventoryThreadOptions = {}): InventoryThread {
  const {
    timeoutMs = TEN_MINUTES_MS,
    program = inventoryWorker,
    root = '/',
    watchIntervalMs,
  } = options;
  const workerData: InventoryWorkerData = { root, watchIntervalMs };
  const changed = createSignal();
  let worker: Worker | null = null;
  let isStuck = false;

  const start = (): Worker => {
    const started = new Worker(program, { resourceLimits, workerData });
    started.unref();
    started.on('message', (message: InventoryMessage) => {
      if ('changed' in message) changed.emit();
    });
    // Without a listener, an error would end the agent. A pending scan has its own listener.
    started.on('error', () => {});
    started.on('exit', () => {
      if (worker === started) worker = null;
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

  const scan = (signal: AbortSignal): Promise<Inventory> => {
    if (isStuck)
      return Promise.reject(new Error('the previous scan still waits for a file system'));
    const running = (worker ??= start());
    const { promise, resolve, reject } = Promise.withResolvers<Inventory>();
    const onMessage = (message: InventoryMessage): void => {
      if ('inventory' in message) resolve(message.inventory);
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
    running.postMessage('scan');
    return promise.finally(() => {
      clearTimeout(timer);
      running.off('message', onMessage).off('error', reject).off('exit', onExit);
      signal.removeEventListener('abort', onAbort);
    });
  };

  return {
    scan,
    changed,
    stop: async () => void (isStuck || (await worker?.terminate())),
  };
}
