/** What is done with copies of bytes once all bytes that have arrived are on their way. */
export interface AfterRelaying {
  /** In the order in which it was given. */
  add: (work: () => void) => void;
  /** All that waits, now. */
  flush: () => void;
}

/**
 * Nothing that is done with a copy holds up the bytes themselves: of many connections to which
 * something has come at once, all are relayed before the first copy is looked at.
 */
export function createAfterRelaying(): AfterRelaying {
  let waiting: (() => void)[] = [];
  const flush = (): void => {
    const works = waiting;
    waiting = [];
    for (const work of works) work();
  };
  return {
    add: (work) => {
      // Node runs immediates after it has read from every socket that has something.
      if (waiting.push(work) === 1) setImmediate(flush);
    },
    flush,
  };
}
