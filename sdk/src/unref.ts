/** Lets the process exit while a timer is pending. Timers of browsers and mocks may be numbers. */
export const unref = (timer: unknown): void =>
  (timer as { unref?: () => void } | undefined)?.unref?.();
