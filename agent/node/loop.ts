/** Returns the milliseconds until the next run; null: not before a wake-up. */
export type Work = (signal: AbortSignal) => Promise<number | null>;

export interface Loop {
  /** There is work. Ends an idle wait, but does not cut a pause short. */
  wake: () => void;
  /** Circumstances have changed: runs now, even during a pause. */
  runNow: () => void;
  /** Aborts the work in progress and resolves once it has ended. */
  stop: () => Promise<void>;
}

/**
 * Runs one piece of work repeatedly, never concurrently. A call during a run makes it run once more.
 * The first run is immediate, or after `firstPause` milliseconds.
 */
export function startLoop(work: Work, firstPause = 0): Loop {
  const stopping = new AbortController();
  let called: 'not' | 'woken' | 'forced' = 'not';
  let idle = false;
  let resume = (): void => {};

  const sleep = (pause: number | null): Promise<void> =>
    new Promise((resolve) => {
      const timer = pause === null ? undefined : setTimeout(resolve, pause);
      idle = pause === null;
      resume = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const run = async (): Promise<void> => {
    if (firstPause > 0 && called === 'not') await sleep(firstPause);
    while (!stopping.signal.aborted) {
      called = 'not';
      const pause = await work(stopping.signal);
      if (stopping.signal.aborted || isCalled(called, pause)) continue;
      await sleep(pause);
      idle = false;
      resume = () => {};
    }
  };

  const runNow = (): void => {
    called = 'forced';
    resume();
  };
  // Deferred: the work may use variables that its creator has yet to initialize.
  const running = Promise.resolve().then(run);
  return {
    wake: () => {
      if (called === 'not') called = 'woken';
      if (idle) resume();
    },
    runNow,
    stop: () => {
      stopping.abort();
      runNow();
      return running;
    },
  };
}

function isCalled(called: 'not' | 'woken' | 'forced', pause: number | null): boolean {
  return called === 'forced' || (called === 'woken' && pause === null);
}
