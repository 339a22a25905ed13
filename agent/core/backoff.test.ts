import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffMs } from './backoff.ts';

test.each([
  [0, 1000],
  [1, 2000],
  [2, 4000],
  [5, 32_000],
  [6, 60_000],
  [1000, 60_000],
])('after %i failures the longest delay is %i ms', (attempt, ceiling) => {
  expect(backoffMs(attempt, 0.999999)).toBe(ceiling);
  expect(backoffMs(attempt, 0.5)).toBe(ceiling / 2);
  expect(backoffMs(attempt, 0)).toBe(0);
});

test('a delay is a whole number of milliseconds within the limits for any number of failures', () => {
  const limits = { firstMs: 20, maxMs: 700 };
  fc.assert(
    fc.property(
      fc.nat(),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (attempt, random) => {
        const wait = backoffMs(attempt, random, limits);
        expect(Number.isInteger(wait) && wait >= 0 && wait <= limits.maxMs).toBe(true);
      },
    ),
  );
});
