/** Returns the milliseconds until the next run; null: not before a wake-up. */
export type LoopWork = (signal: AbortSignal) => Promise<number | null>;

export interface Loop {
  /** There is work. Ends an idle wait, but does not shorten a delay. */
  wake: () => void;
  /** Runs now, even during a delay. */
  runNow: () => void;
  /** Aborts the work in progress and resolves once it has ended. */
  stop: () => Promise<void>;
}

export interface LoopOptions {
  /** Whether waiting for the next run keeps the process alive. */
  keepsAlive?: boolean;
}

/**
 * Runs one piece of work repeatedly, never concurrently. A call during a run makes it run once more.
 * The first run is immediate, or after `initialDelayMs`.
 */
export function startLoop(
  work: LoopWork,
  initialDelayMs = 0,
  { keepsAlive = true }: LoopOptions = {},
): Loop {
  const stopping = new AbortController();
  let pendingWake: 'not' | 'woken' | 'forced' = 'not';
  let idle = false;
  let endSleep = (): void => {};

  const sleep = (delayMs: number | null): Promise<void> =>
    new Promise((resolve) => {
      const timer = delayMs === null ? undefined : setTimeout(resolve, delayMs);
      if (!keepsAlive) timer?.unref();
      idle = delayMs === null;
      endSleep = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const run = async (): Promise<void> => {
    if (initialDelayMs > 0 && pendingWake === 'not') await sleep(initialDelayMs);
    while (!stopping.signal.aborted) {
      pendingWake = 'not';
      const delayMs = await work(stopping.signal);
      if (stopping.signal.aborted || isWoken(pendingWake, delayMs)) continue;
      await sleep(delayMs);
      idle = false;
      endSleep = () => {};
    }
  };

  const runNow = (): void => {
    pendingWake = 'forced';
    endSleep();
  };
  // Deferred: the work may use variables that its creator has yet to initialize.
  const running = Promise.resolve().then(run);
  return {
    wake: () => {
      if (pendingWake === 'not') pendingWake = 'woken';
      if (idle) endSleep();
    },
    runNow,
    stop: () => {
      stopping.abort();
      runNow();
      return running;
    },
  };
}

function isWoken(pendingWake: 'not' | 'woken' | 'forced', delayMs: number | null): boolean {
  return pendingWake === 'forced' || (pendingWake === 'woken' && delayMs === null);
}
