/** Lets one user at a time have something, in the order in which they asked. */
export interface Mutex {
  /** Resolves when it is the caller's turn, which lasts until `pass`. */
  lock(): Promise<void>;
  unlock(): void;
}

export function createMutex(): Mutex {
  const waiting: (() => void)[] = [];
  let taken = false;
  return {
    lock() {
      if (taken) return new Promise((resolve) => waiting.push(resolve));
      taken = true;
      return Promise.resolve();
    },
    unlock() {
      const next = waiting.shift();
      if (next) next();
      else taken = false;
    },
  };
}
