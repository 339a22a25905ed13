import type { ReaderThread } from './reader-thread.ts';

/** A few threads that are started on demand; each is lent to one borrower at a time. */
export interface ReaderPool {
  acquire(): Promise<ReaderThread>;
  release(thread: ReaderThread): void;
  /** Waits for queries in progress and then ends the threads. */
  close(): Promise<void>;
}

export function readerPool(start: () => ReaderThread, size: number): ReaderPool {
  const threads = new Set<ReaderThread>();
  const idle: ReaderThread[] = [];
  const queue: PromiseWithResolvers<ReaderThread>[] = [];
  let closed = false;

  function find(): ReaderThread | undefined {
    for (const thread of threads) if (thread.isDead()) threads.delete(thread);
    for (let thread = idle.pop(); thread; thread = idle.pop())
      if (threads.has(thread)) return thread;
    if (threads.size === size) return undefined;
    const thread = start();
    threads.add(thread);
    return thread;
  }
  function serve(): void {
    while (queue.length > 0) {
      const thread = find();
      if (!thread) return;
      queue.shift()?.resolve(thread);
    }
  }
  return {
    acquire() {
      if (closed) return Promise.reject(new Error('the database is closed'));
      const request = Promise.withResolvers<ReaderThread>();
      queue.push(request);
      serve();
      return request.promise;
    },
    release(thread) {
      idle.push(thread);
      serve();
    },
    async close() {
      closed = true;
      for (const { reject } of queue.splice(0)) reject(new Error('the database is closed'));
      await Promise.all([...threads].map((thread) => thread.stop()));
    },
  };
}
