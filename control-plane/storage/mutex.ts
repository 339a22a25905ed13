/** A mutual exclusion lock; waiters are served in order of arrival. */
export interface Mutex {
  /** Resolves when the caller holds the lock, until `unlock`. */
  lock(): Promise<void>;
  unlock(): void;
}

export function createMutex(): Mutex {
  const waiting: (() => void)[] = [];
  let locked = false;
  return {
    lock() {
      if (locked) return new Promise((resolve) => waiting.push(resolve));
      locked = true;
      return Promise.resolve();
    },
    unlock() {
      const next = waiting.shift();
      if (next) next();
      else locked = false;
    },
  };
}
