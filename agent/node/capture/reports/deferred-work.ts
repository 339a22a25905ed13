/** Defers work on copied bytes until all bytes that have arrived are relayed. */
export interface DeferredWork {
  /** Work runs in the order in which it was added. */
  add: (work: () => void) => void;
  /** Runs all pending work now. */
  flush: () => void;
}

/**
 * Work on a copy must never delay relayed bytes: if many connections receive data at once, all of
 * it is relayed before the first copy is processed.
 */
export function createDeferredWork(): DeferredWork {
  let pending: (() => void)[] = [];
  const flush = (): void => {
    const works = pending;
    pending = [];
    for (const work of works) work();
  };
  return {
    add: (work) => {
      // Node runs immediates after it has read from every readable socket.
      if (pending.push(work) === 1) setImmediate(flush);
    },
    flush,
  };
}
