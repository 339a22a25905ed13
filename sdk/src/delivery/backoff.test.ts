import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffMs } from './backoff.ts';

test('delays double, up to 30 seconds', () => {
  const waits = [1, 2, 3, 7, 50].map((attempt) => backoffMs(attempt, 500, 1));
  expect(waits).toEqual([500, 1000, 2000, 30_000, 30_000]);
});

test('jitter reduces the delay by at most half', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (attempt, random) => {
        const [wait, longest] = [backoffMs(attempt, 500, random), backoffMs(attempt, 500, 1)];
        expect(wait).toBeGreaterThanOrEqual(longest / 2);
        expect(wait).toBeLessThanOrEqual(longest);
      },
    ),
  );
});
