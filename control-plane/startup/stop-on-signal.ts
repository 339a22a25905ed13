/** npm passes on a signal that the terminal has sent to the whole group already: it counts once. */
const ECHO_MS = 500;

/** Stops once at the first signal; the next one ends the process at once. */
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
