import type { Clock } from '../remote/clock.ts';

export interface FakeClock extends Clock {
  /** What was slept, in milliseconds, in order. */
  slept: number[];
}

/** Time that passes only where somebody sleeps, and then at once. */
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
