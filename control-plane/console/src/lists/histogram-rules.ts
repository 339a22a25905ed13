export interface Bucket {
  start: string;
  value: number;
  /** The part of the value that failed. */
  errors?: number;
}

export interface Slot {
  /** Epoch milliseconds. */
  at: number;
  value: number;
  errors: number;
}

/** Maximum number of slots to draw. */
const MAX_SLOTS = 200;
/**
 * Minimum number of slots: with fewer, the bars of records within a few seconds would fill the
 * width.
 */
const MIN_SLOTS = 24;

/**
 * All buckets of the range, including those without a value. Without a range, all from the first to
 * the last bucket; if there are few, it begins earlier.
 */
export function slotsOf(
  buckets: readonly Bucket[],
  bucketMs: number,
  range: { start?: string; end?: string },
): Slot[] {
  const [first, last] = [buckets[0], buckets.at(-1)];
  if (!first || !last || bucketMs <= 0) return [];
  const floor = (ms: number) => ms - (ms % bucketMs);
  const from = range.start
    ? Math.min(floor(Date.parse(range.start)), Date.parse(first.start))
    : Date.parse(first.start);
  const until = range.end
    ? Math.max(floor(Date.parse(range.end) - 1), Date.parse(last.start))
    : Date.parse(last.start);
  const found = new Map(buckets.map((bucket) => [Date.parse(bucket.start), bucket]));
  // The records determine the length of a bucket, so a much longer range would have too many.
  const wide = (until - from) / bucketMs >= MAX_SLOTS;
  const end = wide ? Date.parse(last.start) : until;
  const begin =
    range.start && !wide
      ? from
      : Math.min(Date.parse(first.start), end - (MIN_SLOTS - 1) * bucketMs);
  const slots: Slot[] = [];
  for (let at = begin; at <= end; at += bucketMs) {
    const { value = 0, errors = 0 } = found.get(at) ?? {};
    slots.push({ at, value, errors });
  }
  return slots;
}

/** The time range between two positions, each from 0 to 1 of the width. */
export function rangeBetween(slots: readonly Slot[], bucketMs: number, a: number, b: number) {
  const indexAt = (position: number) =>
    Math.min(slots.length - 1, Math.max(0, Math.floor(position * slots.length)));
  const [from, to] = [slots[indexAt(Math.min(a, b))], slots[indexAt(Math.max(a, b))]];
  if (!from || !to) return undefined;
  return { start: new Date(from.at).toISOString(), end: new Date(to.at + bucketMs).toISOString() };
}
