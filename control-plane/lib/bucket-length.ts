import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#lib/time-units.ts';

const lengths = [
  ...[1, 5, 10, 30].map((count) => count * SECOND_MS),
  ...[1, 5, 10, 30].map((count) => count * MINUTE_MS),
  ...[1, 3, 6, 12].map((count) => count * HOUR_MS),
  ...[1, 2, 7, 14, 28].map((count) => count * DAY_MS),
] as const;

const MAX_BUCKETS = 64;

/**
 * Returns the shortest length with which a few buckets cover the time from the first record to the
 * last.
 */
export function bucketLength(first: number, last: number): number {
  const covers = (length: number): boolean =>
    Math.floor(last / length) - Math.floor(first / length) < MAX_BUCKETS;
  const longest = 28 * DAY_MS;
  return lengths.find(covers) ?? Math.ceil((last - first) / (MAX_BUCKETS - 1) / longest) * longest;
}
