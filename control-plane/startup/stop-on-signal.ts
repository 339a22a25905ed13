/**
 * npm forwards a signal that the terminal has already sent to the whole group: both count as one.
 */
const ECHO_MS = 500;

/** Shuts down at the first signal; the next one exits at once. */
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
