export interface Bucket {
  start: string;
  value: number;
  /** Part of the value that is shown as failed. */
  errors?: number;
}

export interface Slot {
  /** Epoch milliseconds. */
  at: number;
  value: number;
  errors: number;
}

/** More are not drawn. */
const MOST_SLOTS = 200;
/** With fewer, the bars of records that came within seconds would fill the width. */
const FEWEST_SLOTS = 24;

/**
 * Every bucket of the time from the first to the last one, or of the range, those without a value too.
 * A time without a start begins early enough for some buckets.
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
  // A range may be far longer than the time with records, which decided the length of a bucket.
  const wide = (until - from) / bucketMs >= MOST_SLOTS;
  const end = wide ? Date.parse(last.start) : until;
  const begin =
    range.start && !wide
      ? from
      : Math.min(Date.parse(first.start), end - (FEWEST_SLOTS - 1) * bucketMs);
  const slots: Slot[] = [];
  for (let at = begin; at <= end; at += bucketMs) {
    const { value = 0, errors = 0 } = found.get(at) ?? {};
    slots.push({ at, value, errors });
  }
  return slots;
}

/** The slots from one position to another, which are between 0 and 1 of the width. */
export function rangeBetween(slots: readonly Slot[], bucketMs: number, a: number, b: number) {
  const indexAt = (position: number) =>
    Math.min(slots.length - 1, Math.max(0, Math.floor(position * slots.length)));
  const [from, to] = [slots[indexAt(Math.min(a, b))], slots[indexAt(Math.max(a, b))]];
  if (!from || !to) return undefined;
  return { start: new Date(from.at).toISOString(), end: new Date(to.at + bucketMs).toISOString() };
}
