import { Worker } from 'node:worker_threads';
import type { FromIndexer, ToIndexer } from './messages.ts';

/** The indexing thread as the rest of the process sees it. It starts when there is work. */
export interface Indexer {
  /** There is something new, or there will be when a transaction commits. */
  wake(): void;
  /** False when it could not be done in time. */
  catchUp(tenantId: string, withinMs: number): Promise<boolean>;
  close(): Promise<void>;
}

export interface IndexerEvents {
  onProblem: (line: string) => void;
  onIndexed?: (progress: Indexed) => void;
}

export type Indexed = Extract<FromIndexer, { kind: 'indexed' }>;

// Gathers what is recorded, and leaves its transaction the time to commit.
const GATHER_MS = 300;

export function indexerThread(
  file: URL,
  workerData: unknown,
  { onProblem, onIndexed = () => undefined }: IndexerEvents,
): Indexer {
  const waiting = new Map<number, (complete: boolean) => void>();
  let worker: Worker | undefined;
  let exited: Promise<void> = Promise.resolve();
  let waking: NodeJS.Timeout | undefined;
  let lastId = 0;
  let closed = false;

  const settle = (id: number, complete: boolean): void => {
    waiting.get(id)?.(complete);
    waiting.delete(id);
  };
  const hear = (message: FromIndexer): void => {
    if (message.kind === 'problem') onProblem(message.line);
    else if (message.kind === 'indexed') onIndexed(message);
    else settle(message.id, message.complete);
  };
  const start = (): Worker => {
    const started = new Worker(file, { workerData, name: 'search' });
    started.on('message', hear);
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
  const tell = (message: ToIndexer): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    if (!closed) (worker ??= start()).postMessage(message);
  };
  return {
    wake() {
      waking ??= setTimeout(() => {
        waking = undefined;
        tell({ kind: 'wake' });
      }, GATHER_MS).unref();
    },
    catchUp(tenantId, withinMs) {
      if (closed) return Promise.resolve(false);
      const id = (lastId += 1);
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        tell({ kind: 'catch-up', id, tenantId, withinMs });
      });
    },
    async close() {
      clearTimeout(waking);
      if (worker) tell({ kind: 'close' });
      closed = true;
      await exited;
    },
  };
}
