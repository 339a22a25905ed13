/**
 * Runs `finish` when the process is about to exit and work is pending, and keeps the process alive
 * until it is done. Returns a function that removes the handler. Has no effect on runtimes without
 * `beforeExit`, nor for `process.exit()` and signals.
 *
 * `finish` resolves to false if work remains; the process then exits without another attempt.
 */
export function onBeforeExit(isPending: () => boolean, finish: () => Promise<boolean>): () => void {
  const { process } = globalThis;
  if (typeof process?.on !== 'function') return () => undefined;
  let stopped = false;
  async function finishOnce(): Promise<void> {
    stopped = true;
    stopped = !(await finish());
  }
  // `beforeExit` is emitted again after each listener that scheduled work.
  const listener = (): void => {
    if (!stopped && isPending()) void finishOnce();
  };
  process.on('beforeExit', listener);
  return () => process.off('beforeExit', listener);
}
