import { setTimeout } from 'node:timers/promises';

/** What time it is, and how to wait: milliseconds. */
export interface Clock {
  now: () => number;
  sleep: (milliseconds: number) => Promise<void>;
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (milliseconds) => setTimeout(milliseconds),
};
