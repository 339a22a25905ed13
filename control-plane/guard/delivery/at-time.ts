/** A timer takes no more than 24.8 days, and stands still while its computer sleeps. */
const LONGEST_WAIT_MS = 3_600_000;

/** Does `work` once, when the clock shows that time or a later one. Answers how to call it off. */
export function atTime(when: number, now: () => number, work: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    const left = when - now();
    if (left <= 0) return work();
    timer = setTimeout(wait, Math.min(left, LONGEST_WAIT_MS));
    timer.unref();
  };
  wait();
  return () => clearTimeout(timer);
}
