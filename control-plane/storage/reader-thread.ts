import { Worker } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';

export interface ReaderFiles {
  databaseFile: string;
  /** Attached as `search`. */
  searchFile: string;
}

export interface ReaderRequest {
  text: string;
  parameters: readonly unknown[];
}

export type ReaderResponse =
  | { rows: unknown[] }
  | { error: { message: string; code: string | undefined } };

/** A thread with a read-only connection of its own, which answers one question after another. */
export interface ReaderThread {
  /** It ended without being asked to: its connection is gone. */
  isDead(): boolean;
  ask(question: ReaderRequest): Promise<unknown[]>;
  /** After what it is asked now. */
  stop(): Promise<void>;
}

export function startReaderThread(files: ReaderFiles): ReaderThread {
  const worker = new Worker(new URL('./reader-worker.ts', import.meta.url), { workerData: files });
  const asked: PromiseWithResolvers<unknown[]>[] = [];
  let end: Error | undefined;
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      die(new Error('the reading thread ended'));
      resolve();
    });
  });
  function die(reason: Error): void {
    end ??= reason;
    for (const { reject } of asked.splice(0)) reject(end);
  }
  const send = (message: ReaderRequest | null): void =>
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(message);
  worker.on('error', (error: Error) => die(error));
  worker.on('message', (answer: ReaderResponse) => {
    const question = asked.shift();
    if ('rows' in answer) question?.resolve(answer.rows);
    else question?.reject(errorOf(answer.error));
  });
  return {
    isDead: () => end !== undefined,
    ask(question) {
      if (end) return Promise.reject(end);
      const answer = Promise.withResolvers<unknown[]>();
      asked.push(answer);
      send(question);
      return answer.promise;
    },
    stop() {
      send(null);
      return exited;
    },
  };
}

/** As if it had been thrown here. */
const errorOf = ({ message, code }: { message: string; code: string | undefined }): Error =>
  code ? new BetterSqlite3.SqliteError(message, code) : new Error(message);
