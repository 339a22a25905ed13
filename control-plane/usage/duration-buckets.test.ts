import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bucketOf,
  DURATION_PRECISION,
  durationBounds,
  middleOf,
  percentileOf,
} from './duration-buckets.ts';

const duration = fc.integer({ min: 0, max: (durationBounds.at(-1) as number) - 1 });

test('the middle of a bucket differs from its durations by no more than the precision', () => {
  fc.assert(
    fc.property(duration, (ms) => {
      const from = bucketOf(ms);
      expect(from).toBeLessThanOrEqual(ms);
      expect(Math.abs(middleOf(from) - ms)).toBeLessThanOrEqual(ms * DURATION_PRECISION);
    }),
    { numRuns: 2000 },
  );
});

test('percentiles equal those of the sorted durations, within the precision', () => {
  const some = fc.array(duration, { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(some, fc.constantFrom(0.5, 0.95), (durations, part) => {
      const counts = new Map<number, number>();
      for (const ms of durations) counts.set(bucketOf(ms), (counts.get(bucketOf(ms)) ?? 0) + 1);
      const exact =
        durations.toSorted((a, b) => a - b)[Math.ceil(part * durations.length) - 1] ?? 0;
      const found = percentileOf(counts, part) as number;
      expect(Math.abs(found - exact)).toBeLessThanOrEqual(exact * DURATION_PRECISION);
    }),
  );
});

test('without runs there is no percentile', () => {
  expect(percentileOf(new Map(), 0.5)).toBeNull();
  expect(percentileOf(new Map([[1, 0]]), 0.5)).toBeNull();
});

test('a duration beyond the last bound counts as the last bound', () => {
  expect(middleOf(bucketOf(1e12))).toBe(durationBounds.at(-1));
});
