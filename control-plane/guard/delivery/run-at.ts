/** The longest wait. A timer is limited to 24.8 days, and stops while its computer is asleep. */
const MAX_WAIT_MS = 3_600_000;

/** Runs `work` once, when the clock reaches the time. Returns a function that cancels it. */
export function runAt(when: number, now: () => number, work: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    const remaining = when - now();
    if (remaining <= 0) return work();
    timer = setTimeout(wait, Math.min(remaining, MAX_WAIT_MS));
    timer.unref();
  };
  wait();
  return () => clearTimeout(timer);
}
