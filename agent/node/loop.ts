/** Milliseconds until the work is to be done again; null means not before something wakes it. */
export type Work = (signal: AbortSignal) => Promise<number | null>;

export interface Loop {
  /** There is something to do. Ends a rest, but does not cut a pause short. */
  wake: () => void;
  /** Circumstances have changed: do it now, pause or not. */
  hurry: () => void;
  /** Aborts the work in progress and resolves once it has ended. */
  stop: () => Promise<void>;
}

/**
 * Does one piece of work again and again, never twice at a time. Being called while the work is
 * being done makes it run once more. The first time is at once, or after `firstPause` milliseconds.
 */
export function startLoop(work: Work, firstPause = 0): Loop {
  const stopping = new AbortController();
  let called: 'not' | 'woken' | 'hurried' = 'not';
  let resting = false;
  let resume = (): void => {};

  const rest = (pause: number | null): Promise<void> =>
    new Promise((resolve) => {
      const timer = pause === null ? undefined : setTimeout(resolve, pause);
      resting = pause === null;
      resume = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const run = async (): Promise<void> => {
    if (firstPause > 0 && called === 'not') await rest(firstPause);
    while (!stopping.signal.aborted) {
      called = 'not';
      const pause = await work(stopping.signal);
      if (stopping.signal.aborted || isCalled(called, pause)) continue;
      await rest(pause);
      resting = false;
      resume = () => {};
    }
  };

  const hurry = (): void => {
    called = 'hurried';
    resume();
  };
  // Not at once: the work may refer to what its creator has yet to create.
  const running = Promise.resolve().then(run);
  return {
    wake: () => {
      if (called === 'not') called = 'woken';
      if (resting) resume();
    },
    hurry,
    stop: () => {
      stopping.abort();
      hurry();
      return running;
    },
  };
}

function isCalled(called: 'not' | 'woken' | 'hurried', pause: number | null): boolean {
  return called === 'hurried' || (called === 'woken' && pause === null);
}
