export interface TrailingThrottle {
  /** Requests a run in `delayMs`. While one is due, further requests join it. */
  request: (delayMs?: number) => void;
  isDue: () => boolean;
  cancel: () => void;
}

/**
 * Runs something once for all requests that arrive within `delayMs`, at the end of that time. Does
 * not keep the process alive.
 */
export function throttleTrailing(run: () => void, delayMs: number): TrailingThrottle {
  let timer: NodeJS.Timeout | undefined;
  const fire = (): void => {
    timer = undefined;
    run();
  };
  return {
    request: (ms = delayMs) => void (timer ??= setTimeout(fire, ms).unref()),
    isDue: () => timer !== undefined,
    cancel: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
