/**
 * The end of a control plane: what begins when the process is told to stop, and what has to end
 * before the database is closed.
 */
export interface Shutdown {
  /** Aborted when it begins. */
  signal: AbortSignal;
  begin(): void;
  /** Work that uses the database, and what to do after it; neither may fail. */
  follow(work: Promise<unknown>, after?: () => void): void;
  /** Resolves when all such work has ended, but after `ms` at the latest. */
  settled(ms: number): Promise<void>;
}

export function createShutdown(): Shutdown {
  const controller = new AbortController();
  let underWay = 0;
  let onSettled = (): void => undefined;
  const ended = (): void => {
    underWay -= 1;
    if (underWay === 0) onSettled();
  };
  return {
    signal: controller.signal,
    begin: () => controller.abort(),
    follow(work, after) {
      underWay += 1;
      void work.then(() => {
        after?.();
        ended();
      });
    },
    settled: (ms) =>
      new Promise((resolve) => {
        if (underWay === 0) return resolve();
        onSettled = resolve;
        setTimeout(resolve, ms).unref();
      }),
  };
}
