/** Lets a process end although the timer is still set. Those of browsers and of mocks may be numbers. */
export const unref = (timer: unknown): void =>
  (timer as { unref?: () => void } | undefined)?.unref?.();
