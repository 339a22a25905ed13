import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { throttleTrailing } from '#lib/trailing-throttle.ts';

/**
 * Runs SQLite's checkpoints, from the write-ahead log into the database, in parallel to recording.
 */
export interface Checkpoints {
  /** Reports that a transaction was committed. */
  committed(): void;
  close(): Promise<void>;
}

/**
 * The log size in pages (64 MB) at which the writing connection itself runs a checkpoint. The log
 * restarts only when all of it has been copied, and under load the thread is always slightly
 * behind.
 */
export const PAGES_BEFORE_WRITER_COPIES = 16_384;

// For a shorter log, a thread is not worth its cost.
const MIN_LOG_BYTES = 4 * 1024 * 1024;
const DEBOUNCE_MS = 200;
// A full disk usually stays full for a while. In the meantime the writing connection runs the
// checkpoints.
const AFTER_FAILURE_MS = 60_000;

/**
 * Runs checkpoints in a thread: they end with waiting for the disk, which the recording thread must
 * not do.
 */
export function checkpointsInThread(
  databaseFile: string,
  onProblem: (message: string) => void,
): Checkpoints {
  let worker: Worker | undefined;
  let exited: Promise<void> = Promise.resolve();
  let copying = false;
  let notBefore = 0;
  let closed = false;

  function start(): Worker {
    const file = new URL('./sqlite-checkpoint-worker.ts', import.meta.url);
    const started = new Worker(file, { workerData: databaseFile });
    started.on('message', () => (copying = false));
    started.on('error', (error: Error) => {
      notBefore = performance.now() + AFTER_FAILURE_MS;
      onProblem(`checkpointing stopped: ${error.message}`);
    });
    exited = new Promise((resolve) => {
      started.once('exit', () => {
        if (worker === started) worker = undefined;
        copying = false;
        resolve();
      });
    });
    return started;
  }
  const send = (message: 'copy' | 'close'): void =>
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    (worker ??= start()).postMessage(message);
  const copy = (): void => {
    if (closed || copying || performance.now() < notBefore) return;
    if (sizeOf(`${databaseFile}-wal`) < MIN_LOG_BYTES) return;
    copying = true;
    send('copy');
  };
  const checkpoint = throttleTrailing(copy, DEBOUNCE_MS);
  return {
    committed: () => checkpoint.request(),
    async close() {
      closed = true;
      checkpoint.cancel();
      if (worker) send('close');
      await exited;
    },
  };
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
