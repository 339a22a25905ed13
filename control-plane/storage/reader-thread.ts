import { Worker } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';

export interface ReaderFiles {
  databaseFile: string;
  /** The search index, which is attached as `search`. */
  searchFile: string;
}

export interface ReaderRequest {
  text: string;
  parameters: readonly unknown[];
}

export type ReaderResponse =
  | { rows: unknown[] }
  | { error: { message: string; code: string | undefined } };

/** A thread with its own read-only connection, which executes queries one after another. */
export interface ReaderThread {
  /** Whether the thread ended unexpectedly, which loses its connection. */
  isDead(): boolean;
  query(question: ReaderRequest): Promise<unknown[]>;
  /** Waits for queries in progress and then ends the thread. */
  stop(): Promise<void>;
}

export function startReaderThread(files: ReaderFiles): ReaderThread {
  const worker = new Worker(new URL('./reader-worker.ts', import.meta.url), { workerData: files });
  const pending: PromiseWithResolvers<unknown[]>[] = [];
  let end: Error | undefined;
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      failPending(new Error('the reader thread ended'));
      resolve();
    });
  });
  function failPending(reason: Error): void {
    end ??= reason;
    for (const { reject } of pending.splice(0)) reject(end);
  }
  const send = (message: ReaderRequest | null): void =>
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(message);
  worker.on('error', (error: Error) => failPending(error));
  worker.on('message', (answer: ReaderResponse) => {
    const question = pending.shift();
    if ('rows' in answer) question?.resolve(answer.rows);
    else question?.reject(errorOf(answer.error));
  });
  return {
    isDead: () => end !== undefined,
    query(question) {
      if (end) return Promise.reject(end);
      const answer = Promise.withResolvers<unknown[]>();
      pending.push(answer);
      send(question);
      return answer.promise;
    },
    stop() {
      send(null);
      return exited;
    },
  };
}

/** Recreates an error of the thread as if it had been thrown here. */
const errorOf = ({ message, code }: { message: string; code: string | undefined }): Error =>
  code ? new BetterSqlite3.SqliteError(message, code) : new Error(message);
