/** For one text: enough for any honest pattern on a busy machine. */
const ALLOWED_MS = 50;
const ALLOWED_MS_PER_CHARACTER = 0.002;

/** After so many overruns in a row nothing is tried any more for a while. */
const OVERRUNS = 3;
const REST_MS = 10_000;

export interface Stopwatch {
  /**
   * Runs work that asks now and then whether its time is over, and then answers null. Answers null
   * without running it while what came before took too long too often.
   */
  measure<T>(length: number, work: (isOver: () => boolean) => T | null): T | null;
}

/** Both in milliseconds, and only growing. */
export interface Clocks {
  now: () => number;
  /** What work has taken so far, where that is known better than by the time of day. */
  worked?: () => number;
}

/** Bounds what one kind of work takes of the process, whatever it is given. */
export function stopwatch({ now, worked = now }: Clocks): Stopwatch {
  let overruns = 0;
  let restUntil = -Infinity;
  return {
    measure(length, work) {
      if (now() < restUntil) return null;
      const deadline = worked() + ALLOWED_MS + length * ALLOWED_MS_PER_CHARACTER;
      const result = work(() => worked() > deadline);
      overruns = result === null ? overruns + 1 : 0;
      if (overruns < OVERRUNS) return result;
      overruns = 0;
      restUntil = now() + REST_MS;
      return result;
    },
  };
}
