import { Worker } from 'node:worker_threads';
import { throttleTrailing } from '#lib/trailing-throttle.ts';

/** Messages to the indexing thread. */
export type ToIndexer =
  | { kind: 'wake' }
  | { kind: 'catch-up'; id: number; tenantId: string; timeoutMs: number }
  | { kind: 'close' };

/** Messages from the indexing thread. */
export type FromIndexer =
  | { kind: 'caught-up'; id: number; complete: boolean }
  /** On SQLite only: calls up to this id are indexed; `isAll` if there are no others. */
  | { kind: 'indexed'; lastId: number; isAll: boolean }
  | { kind: 'problem'; message: string };

/** The indexing thread, which is started when there is work. */
export interface Indexer {
  /** Reports that there are new calls, or will be once a transaction has committed. */
  wake(): void;
  /** Waits until the calls of a tenant are indexed; returns false if that takes longer. */
  catchUp(tenantId: string, timeoutMs: number): Promise<boolean>;
  close(): Promise<void>;
}

export interface IndexerEvents {
  onProblem: (message: string) => void;
  onIndexed?: (progress: Indexed) => void;
}

export type Indexed = Extract<FromIndexer, { kind: 'indexed' }>;

// Wake-ups are delayed, so that several recordings share one and their transactions have time to
// commit.
const DEBOUNCE_MS = 300;

export function indexerThread(
  file: URL,
  workerData: unknown,
  { onProblem, onIndexed = () => undefined }: IndexerEvents,
): Indexer {
  const waiting = new Map<number, (complete: boolean) => void>();
  let worker: Worker | undefined;
  let exited: Promise<void> = Promise.resolve();
  let lastId = 0;
  let closed = false;

  const settle = (id: number, complete: boolean): void => {
    waiting.get(id)?.(complete);
    waiting.delete(id);
  };
  const onMessage = (message: FromIndexer): void => {
    if (message.kind === 'problem') onProblem(message.message);
    else if (message.kind === 'indexed') onIndexed(message);
    else settle(message.id, message.complete);
  };
  const start = (): Worker => {
    const started = new Worker(file, { workerData, name: 'search' });
    started.on('message', onMessage);
    started.on('error', (error: Error) => onProblem(`search indexing stopped: ${error.message}`));
    exited = new Promise((resolve) => {
      started.once('exit', () => {
        if (worker === started) worker = undefined;
        for (const id of waiting.keys()) settle(id, false);
        resolve();
      });
    });
    return started;
  };
  const send = (message: ToIndexer): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    if (!closed) (worker ??= start()).postMessage(message);
  };
  const waking = throttleTrailing(() => send({ kind: 'wake' }), DEBOUNCE_MS);
  return {
    wake: () => waking.request(),
    catchUp(tenantId, timeoutMs) {
      if (closed) return Promise.resolve(false);
      const id = (lastId += 1);
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        send({ kind: 'catch-up', id, tenantId, timeoutMs });
      });
    },
    async close() {
      waking.cancel();
      if (worker) send({ kind: 'close' });
      closed = true;
      await exited;
    },
  };
}
