/**
 * Durations are counted in buckets whose bounds grow by a tenth, so that percentiles are computed
 * from totals instead of from every run.
 */
const PER_DECADE = 25;
const DECADES = 9;

/** The lower bounds in milliseconds, ascending: whole numbers up to eleven days. */
export const durationBounds: readonly number[] = [
  ...new Set([
    0,
    ...Array.from({ length: PER_DECADE * DECADES + 1 }, (_, step) =>
      Math.round(10 ** (step / PER_DECADE)),
    ),
  ]),
];

/** The bucket of a run that has not ended. */
export const NO_DURATION = -1;

/** The maximum relative error of a percentile. It does not apply beyond the last bound. */
export const DURATION_PRECISION = 0.05;

/** Returns the lower bound of the bucket of a duration. */
export function bucketOf(ms: number): number {
  let [low, high] = [0, durationBounds.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((durationBounds[middle] as number) <= ms) low = middle;
    else high = middle - 1;
  }
  return durationBounds[low] as number;
}

/** Returns the middle of a bucket with this lower bound. */
export function middleOf(from: number): number {
  const next = durationBounds[durationBounds.indexOf(from) + 1];
  return next === undefined ? from : (from + next - 1) / 2;
}

/** The number of runs in each bucket, by its lower bound. */
export type DurationCounts = ReadonlyMap<number, number>;

/**
 * Returns the duration that this part of the runs does not exceed, by the nearest-rank method; null
 * without runs.
 */
export function percentileOf(counts: DurationCounts, part: number): number | null {
  const buckets = [...counts].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  let rank = Math.max(1, Math.ceil(part * total));
  for (const [from, count] of buckets) {
    if (rank <= count) return middleOf(from);
    rank -= count;
  }
  return null;
}
