import type { Clock } from '../remote/retry.ts';

export interface FakeClock extends Clock {
  /** Requested sleeps in milliseconds, in order. */
  slept: number[];
}

/** Creates a clock that advances only by sleeping, which returns at once. */
export function createFakeClock(start = Date.now()): FakeClock {
  const slept: number[] = [];
  let now = start;
  return {
    slept,
    now: () => now,
    sleep: async (milliseconds) => {
      slept.push(milliseconds);
      now += milliseconds;
    },
  };
}
