import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** Copies what was committed from SQLite's log to its place in the database, beside recording. */
export interface Checkpoints {
  /** A transaction was committed. */
  committed(): void;
  close(): Promise<void>;
}

/**
 * The connection that writes does it itself only when its log has grown to so many pages (64 MB):
 * a log begins anew at a moment when all of it was copied, and under load the thread is always a
 * little behind.
 */
export const PAGES_BEFORE_WRITER_COPIES = 16_384;

// A short log is not worth a thread.
const WORTHWHILE_BYTES = 4 * 1024 * 1024;
const GATHER_MS = 200;
// A disk that is full is so for a while; meanwhile the connection that writes copies by itself.
const AFTER_FAILURE_MS = 60_000;

/** Copying ends with waiting for the disk, which the thread that records must not do. */
export function checkpointsBeside(
  databaseFile: string,
  onProblem: (line: string) => void,
): Checkpoints {
  let worker: Worker | undefined;
  let exited: Promise<void> = Promise.resolve();
  let waiting: NodeJS.Timeout | undefined;
  let copying = false;
  let notBefore = 0;
  let closed = false;

  function start(): Worker {
    const file = new URL('./sqlite-checkpoint-worker.ts', import.meta.url);
    const started = new Worker(file, { workerData: databaseFile });
    started.on('message', () => (copying = false));
    started.on('error', (error: Error) => {
      notBefore = performance.now() + AFTER_FAILURE_MS;
      onProblem(`copying the log into the database stopped: ${error.message}`);
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
  const tell = (message: 'copy' | 'close'): void =>
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    (worker ??= start()).postMessage(message);
  const copy = (): void => {
    waiting = undefined;
    if (closed || copying || performance.now() < notBefore) return;
    if (sizeOf(`${databaseFile}-wal`) < WORTHWHILE_BYTES) return;
    copying = true;
    tell('copy');
  };
  return {
    committed: () => void (waiting ??= setTimeout(copy, GATHER_MS).unref()),
    async close() {
      closed = true;
      clearTimeout(waiting);
      if (worker) tell('close');
      await exited;
    },
  };
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
