import { expect, test } from 'vitest';
import { delayAfter, MAX_ATTEMPTS } from './retry-rules.ts';

const again = { retry: true };

test('delays grow, each with jitter', () => {
  const delays = (chance: number) =>
    Array.from({ length: MAX_ATTEMPTS }, (_, at) => delayAfter(at + 1, again, chance));
  const [early, late] = [delays(0), delays(1)];
  expect(early.slice(0, 3)).toEqual([12_000, 48_000, 240_000]);
  expect(late.slice(0, 3)).toEqual([18_000, 72_000, 360_000]);
  expect([early.at(-1), late.at(-1)]).toEqual([null, null]);
  expect(early.slice(0, -1)).toEqual(early.slice(0, -1).toSorted((a, b) => a! - b!));
});

test('a failure that would repeat is given up at once', () => {
  expect(delayAfter(1, { retry: false }, 0.5)).toBeNull();
});

test('a receiver can ask for more time, up to an hour', () => {
  expect(delayAfter(1, { retry: true, retryAfterMs: 90_000 }, 0.5)).toBe(90_000);
  expect(delayAfter(1, { retry: true, retryAfterMs: 1000 }, 0.5)).toBe(15_000);
  expect(delayAfter(1, { retry: true, retryAfterMs: 9e9 }, 0.5)).toBe(3_600_000);
});
