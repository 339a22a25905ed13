export interface BatchQueue<K, V> {
  add(key: K, value: V): void;
  /** Works off what waits and takes nothing more. */
  stop(): Promise<void>;
}

interface BatchQueueOptions<K, V> {
  /** How long the first one waits for others. */
  ms: number;
  /** How long a lot waits after the one before it, which bounds how often there is work at all. */
  restMs?: number;
  /** What comes for a key that waits already. */
  merge: (waiting: V, next: V) => V;
  work: (lot: ReadonlyMap<K, V>) => Promise<void>;
  onError: (error: unknown) => void;
}

/**
 * Collects what comes within some milliseconds and works it off in one lot. While one lot is worked
 * off the next is collected, so that however much comes there is never more than one at a time.
 */
export function batchQueue<K, V>(options: BatchQueueOptions<K, V>): BatchQueue<K, V> {
  const { ms, restMs = 0, merge, work, onError } = options;
  let waiting = new Map<K, V>();
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> | undefined;
  let endedAt = -Infinity;
  let stopped = false;

  const workOff = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const lot = waiting;
    waiting = new Map();
    working = work(lot)
      .catch(onError)
      .then(() => {
        working = undefined;
        endedAt = performance.now();
        if (waiting.size > 0) begin();
        return working;
      });
  };
  const begin = (): void => {
    if (stopped) workOff();
    else timer = setTimeout(workOff, Math.max(ms, endedAt + restMs - performance.now()));
  };
  return {
    add(key, value) {
      if (stopped) return;
      const before = waiting.get(key);
      waiting.set(key, before === undefined ? value : merge(before, value));
      if (!timer && !working) begin();
    },
    async stop() {
      stopped = true;
      if (timer) workOff();
      await working;
    },
  };
}

/** The same for keys alone. */
export function keyBatchQueue<K>({
  work,
  ...options
}: Omit<BatchQueueOptions<K, true>, 'merge' | 'work'> & {
  work: (keys: readonly K[]) => Promise<unknown>;
}): Omit<BatchQueue<K, true>, 'add'> & { add(key: K): void } {
  const gathering = batchQueue<K, true>({
    ...options,
    merge: () => true,
    work: async (lot) => void (await work([...lot.keys()])),
  });
  return { add: (key) => gathering.add(key, true), stop: () => gathering.stop() };
}
