/** Lets one user at a time have something, in the order in which they asked. */
export interface Turns {
  /** Resolves when it is the caller's turn, which lasts until `pass`. */
  take(): Promise<void>;
  pass(): void;
}

export function turns(): Turns {
  const waiting: (() => void)[] = [];
  let taken = false;
  return {
    take() {
      if (taken) return new Promise((resolve) => waiting.push(resolve));
      taken = true;
      return Promise.resolve();
    },
    pass() {
      const next = waiting.shift();
      if (next) next();
      else taken = false;
    },
  };
}
