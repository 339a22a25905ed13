/**
 * Does what is left to do when a process has come to its end, and keeps it alive until then.
 * Answers how to take that back. Runtimes without such a moment are left alone; `process.exit()`
 * and signals leave no time for it either.
 *
 * `finish` says whether all could be done; if not, the process ends without another try.
 */
export function onBeforeExit(isLeft: () => boolean, finish: () => Promise<boolean>): () => void {
  const { process } = globalThis;
  if (typeof process?.on !== 'function') return () => undefined;
  let stopped = false;
  async function finishOnce(): Promise<void> {
    stopped = true;
    stopped = !(await finish());
  }
  // Emitted again each time that something was done, until nothing is.
  const listener = (): void => {
    if (!stopped && isLeft()) void finishOnce();
  };
  process.on('beforeExit', listener);
  return () => process.off('beforeExit', listener);
}
