/**
 * The shutdown of a control plane: work that starts with the stop signal, and work that must end
 * before the database is closed.
 */
export interface Shutdown {
  /** Aborted when shutdown begins. */
  signal: AbortSignal;
  begin(): void;
  /** Tracks work that uses the database, and a callback that follows it. Neither may fail. */
  follow(work: Promise<unknown>, after?: () => void): void;
  /** Resolves when all tracked work has ended, after `ms` at the latest. */
  settled(ms: number): Promise<void>;
}

export function createShutdown(): Shutdown {
  const controller = new AbortController();
  let running = 0;
  let onSettled = (): void => undefined;
  const ended = (): void => {
    running -= 1;
    if (running === 0) onSettled();
  };
  return {
    signal: controller.signal,
    begin: () => controller.abort(),
    follow(work, after) {
      running += 1;
      void work.then(() => {
        after?.();
        ended();
      });
    },
    settled: (ms) =>
      new Promise((resolve) => {
        if (running === 0) return resolve();
        onSettled = resolve;
        setTimeout(resolve, ms).unref();
      }),
  };
}

/**
 * The time within which two signals count as one, because npm forwards a signal that the terminal
 * has already sent to the whole group.
 */
const ECHO_MS = 500;

/** Shuts down on the first signal; the next one exits at once. */
export function stopOnSignal(
  signals: readonly NodeJS.Signals[],
  stop: () => Promise<void>,
  fail: (error: unknown) => never,
): void {
  let stoppingSince: number | undefined;
  for (const signal of signals)
    process.on(signal, () => {
      const now = performance.now();
      if (stoppingSince !== undefined) {
        if (now - stoppingSince > ECHO_MS) process.exit(1);
        return;
      }
      stoppingSince = now;
      stop().then(() => process.exit(0), fail);
    });
}
