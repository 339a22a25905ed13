import { setTimeout } from 'node:timers/promises';

/** Current time and sleeping, in milliseconds; replaceable in tests. */
export interface Clock {
  now: () => number;
  sleep: (milliseconds: number) => Promise<void>;
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (milliseconds) => setTimeout(milliseconds),
};
