import { Worker } from 'node:worker_threads';

export interface HashRequest {
  password: string;
  salt: Uint8Array;
  /** Length of the hash in bytes. */
  length: number;
}

export type HashResponse = { hash: Uint8Array } | { error: string };

/** The thread has its own heap, and most processes need it only now and then. */
const IDLE_MS = 5000;

let thread: Worker | undefined;
let resting: NodeJS.Timeout | undefined;
const pending: PromiseWithResolvers<Uint8Array>[] = [];

/**
 * Hashes on one dedicated thread, one password at a time: any number of requests takes one core and
 * the memory of one hash. In Node's thread pool, hashing would delay its other users: compression,
 * files, WebCrypto.
 */
export function hashOnThread(question: HashRequest): Promise<Uint8Array> {
  const answer = Promise.withResolvers<Uint8Array>();
  pending.push(answer);
  clearTimeout(resting);
  thread ??= start();
  thread.ref();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  thread.postMessage(question);
  return answer.promise;
}

function start(): Worker {
  const started = new Worker(new URL('./hashing-worker.ts', import.meta.url));
  started.on('message', (answer: HashResponse) => {
    const question = pending.shift();
    if ('hash' in answer) question?.resolve(answer.hash);
    else question?.reject(new Error(answer.error));
    if (pending.length === 0) releaseWhenIdle(started);
  });
  started.on('error', (error) => lose(started, error));
  started.on('exit', () => lose(started, new Error('the hashing thread ended')));
  return started;
}

/** Lets the process exit while the thread is idle. */
function releaseWhenIdle(started: Worker): void {
  started.unref();
  resting = setTimeout(() => {
    thread = undefined;
    void started.terminate();
  }, IDLE_MS).unref();
}

/** The next request starts a new thread. */
function lose(started: Worker, reason: Error): void {
  if (thread !== started) return;
  thread = undefined;
  clearTimeout(resting);
  for (const { reject } of pending.splice(0)) reject(reason);
}
