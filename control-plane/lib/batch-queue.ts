export interface BatchQueue<K, V> {
  add(key: K, value: V): void;
  /** Processes pending items, and accepts no further ones. */
  stop(): Promise<void>;
}

interface BatchQueueOptions<K, V> {
  /** The time that the first item waits for others. */
  ms: number;
  /** The minimum time between the end of a batch and the next one. */
  minGapMs?: number;
  /** Combines a value with that of a key that is already pending. */
  merge: (waiting: V, next: V) => V;
  work: (batch: ReadonlyMap<K, V>) => Promise<void>;
  onError: (error: unknown) => void;
}

/**
 * Collects items for some milliseconds and processes them as one batch. The next batch is collected
 * while one is being processed, so there is never more than one at a time.
 */
export function batchQueue<K, V>(options: BatchQueueOptions<K, V>): BatchQueue<K, V> {
  const { ms, minGapMs = 0, merge, work, onError } = options;
  let waiting = new Map<K, V>();
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> | undefined;
  let endedAt = -Infinity;
  let stopped = false;

  const processBatch = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = new Map();
    working = work(batch)
      .catch(onError)
      .then(() => {
        working = undefined;
        endedAt = performance.now();
        if (waiting.size > 0) begin();
        return working;
      });
  };
  const begin = (): void => {
    if (stopped) processBatch();
    else timer = setTimeout(processBatch, Math.max(ms, endedAt + minGapMs - performance.now()));
  };
  return {
    add(key, value) {
      if (stopped) return;
      const pending = waiting.get(key);
      waiting.set(key, pending === undefined ? value : merge(pending, value));
      if (!timer && !working) begin();
    },
    async stop() {
      stopped = true;
      if (timer) processBatch();
      await working;
    },
  };
}

/** Creates a batch queue for keys without values. */
export function keyBatchQueue<K>({
  work,
  ...options
}: Omit<BatchQueueOptions<K, true>, 'merge' | 'work'> & {
  work: (keys: readonly K[]) => Promise<unknown>;
}): Omit<BatchQueue<K, true>, 'add'> & { add(key: K): void } {
  const queue = batchQueue<K, true>({
    ...options,
    merge: () => true,
    work: async (batch) => void (await work([...batch.keys()])),
  });
  return { add: (key) => queue.add(key, true), stop: () => queue.stop() };
}
