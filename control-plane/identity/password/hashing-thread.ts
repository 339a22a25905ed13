import { Worker } from 'node:worker_threads';

export interface HashRequest {
  password: string;
  salt: Uint8Array;
  /** Of the hash, in bytes. */
  length: number;
}

export type HashResponse = { hash: Uint8Array } | { error: string };

/** It has a heap of its own: only a process that people sign in to now needs one. */
const IDLE_MS = 5000;

let thread: Worker | undefined;
let resting: NodeJS.Timeout | undefined;
const pending: PromiseWithResolvers<Uint8Array>[] = [];

/**
 * Hashes on the one thread that does, one password after another: however many ask, it takes one
 * core and the memory of one hash. In Node's thread pool hashes would hold up all else that uses
 * it: compression, files, WebCrypto.
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
    if (pending.length === 0) rest(started);
  });
  started.on('error', (error) => lose(started, error));
  started.on('exit', () => lose(started, new Error('the hashing thread ended')));
  return started;
}

/** A process that has nothing else to do may end. */
function rest(started: Worker): void {
  started.unref();
  resting = setTimeout(() => {
    thread = undefined;
    void started.terminate();
  }, IDLE_MS).unref();
}

/** Whoever asks next gets another thread. */
function lose(started: Worker, reason: Error): void {
  if (thread !== started) return;
  thread = undefined;
  clearTimeout(resting);
  for (const { reject } of pending.splice(0)) reject(reason);
}
