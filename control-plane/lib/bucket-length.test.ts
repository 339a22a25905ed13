import { expect, test } from 'vitest';
import { bucketLength } from './bucket-length.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-03-01T10:00:00.000Z');

test.each([
  [0, 1000],
  [59_000, 1000],
  [64_000, 5000],
  [HOUR - 1, 60_000],
  [DAY, 30 * 60_000],
  [7 * DAY, 3 * HOUR],
  [30 * DAY, 12 * HOUR],
  [365 * DAY, 7 * DAY],
])('records over %s ms are counted in buckets of %s ms', (length, bucket) =>
  expect(bucketLength(NOW - (NOW % DAY), NOW - (NOW % DAY) + length)).toBe(bucket),
);

test('no time range is too long', () => {
  const length = bucketLength(0, 100 * 365 * DAY);
  expect(Math.floor((100 * 365 * DAY) / length)).toBeLessThan(64);
});
