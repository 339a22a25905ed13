/**
 * Durations are counted in buckets whose bounds grow by a tenth, so that percentiles come from totals
 * and not from every run.
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

/** A percentile differs from the exact one by at most this part of it; not beyond the last bound. */
export const DURATION_PRECISION = 0.05;

/** The lower bound of the bucket of a duration. */
export function bucketOf(ms: number): number {
  let [low, high] = [0, durationBounds.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((durationBounds[middle] as number) <= ms) low = middle;
    else high = middle - 1;
  }
  return durationBounds[low] as number;
}

/** The middle of a bucket, from its lower bound. */
export function middleOf(from: number): number {
  const next = durationBounds[durationBounds.indexOf(from) + 1];
  return next === undefined ? from : (from + next - 1) / 2;
}

/** How many runs each bucket holds, by its lower bound. */
export type DurationCounts = ReadonlyMap<number, number>;

/** The duration that this part of the runs does not exceed, by the nearest rank; null without runs. */
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
