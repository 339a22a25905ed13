import type { ScryptOptions } from 'node:crypto';
import { Worker } from 'node:worker_threads';

export interface HashRequest {
  password: string;
  salt: Uint8Array;
  /** Length of the hash in bytes. */
  length: number;
  cost: ScryptOptions;
}

export type HashResponse = { hash: Uint8Array } | { error: string };

/**
 * The time after which an idle thread is ended. It has its own heap, and most processes need it
 * only occasionally.
 */
const IDLE_MS = 5000;

/**
 * Creates a function that hashes on one dedicated thread, one password at a time, so that any
 * number of requests takes one core and the memory of one hash. In Node's thread pool, hashing
 * would delay other work: compression, files and WebCrypto.
 */
export function createHashingThread(): (request: HashRequest) => Promise<Uint8Array> {
  let thread: Worker | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  const pending: PromiseWithResolvers<Uint8Array>[] = [];

  const start = (): Worker => {
    const started = new Worker(new URL('./hashing-worker.ts', import.meta.url));
    started.on('message', (response: HashResponse) => {
      const request = pending.shift();
      if ('hash' in response) request?.resolve(response.hash);
      else request?.reject(new Error(response.error));
      if (pending.length === 0) releaseWhenIdle(started);
    });
    started.on('error', (error) => dropThread(started, error));
    started.on('exit', () => dropThread(started, new Error('the hashing thread ended')));
    return started;
  };
  /** Lets the process exit while the thread is idle. */
  const releaseWhenIdle = (started: Worker): void => {
    started.unref();
    idleTimer = setTimeout(() => {
      thread = undefined;
      void started.terminate();
    }, IDLE_MS).unref();
  };
  /** Drops a thread that ended. The next request starts a new one. */
  const dropThread = (started: Worker, reason: Error): void => {
    if (thread !== started) return;
    thread = undefined;
    clearTimeout(idleTimer);
    for (const { reject } of pending.splice(0)) reject(reason);
  };

  return (request) => {
    const response = Promise.withResolvers<Uint8Array>();
    pending.push(response);
    clearTimeout(idleTimer);
    thread ??= start();
    thread.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage(request);
    return response.promise;
  };
}
