/** The time limit for one text: enough for any reasonable pattern on a busy machine. */
const ALLOWED_MS = 50;
const ALLOWED_MS_PER_CHARACTER = 0.002;

/** After this many consecutive overruns, work is suspended for a while. */
const OVERRUNS = 3;
const REST_MS = 10_000;

export interface Stopwatch {
  /**
   * Runs work that polls `isOver` and returns null once the time limit has passed. Returns null
   * without running it during a suspension.
   */
  measure<T>(length: number, work: (isOver: () => boolean) => T | null): T | null;
}

/** Monotonic clocks in milliseconds. */
export interface Clocks {
  now: () => number;
  /** The time that the work itself has used, such as CPU time. Default: `now`. */
  used?: () => number;
}

/** Limits the time that one kind of work takes from the process. */
export function stopwatch({ now, used = now }: Clocks): Stopwatch {
  let overruns = 0;
  let restUntil = -Infinity;
  return {
    measure(length, work) {
      if (now() < restUntil) return null;
      const deadline = used() + ALLOWED_MS + length * ALLOWED_MS_PER_CHARACTER;
      const result = work(() => used() > deadline);
      overruns = result === null ? overruns + 1 : 0;
      if (overruns < OVERRUNS) return result;
      overruns = 0;
      restUntil = now() + REST_MS;
      return result;
    },
  };
}
