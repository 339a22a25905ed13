/** The counts within a short time bucket that begins at `at`. */
export interface Bucket<Kind extends string> {
  at: number;
  counts: Partial<Record<Kind, number>>;
}

/**
 * The number of buckets per window, so that a busy window takes no more space than a quiet one. A
 * bucket counts until all of it has left the window. Counts may therefore include
 * events that are up to a sixtieth of a window too old, but never miss one.
 */
const BUCKETS = 60;

const sizeOf = (windowMs: number): number => Math.ceil(windowMs / BUCKETS);

/** Drops buckets that have left the window. */
export const withoutExpired = <Kind extends string>(
  buckets: readonly Bucket<Kind>[],
  now: number,
  windowMs: number,
): Bucket<Kind>[] => buckets.filter(({ at }) => at + sizeOf(windowMs) > now - windowMs);

/** Counts one event of a kind now. */
export function countOne<Kind extends string>(
  buckets: readonly Bucket<Kind>[],
  { now, windowMs, kind }: { now: number; windowMs: number; kind: Kind },
): Bucket<Kind>[] {
  const size = sizeOf(windowMs);
  const at = Math.floor(now / size) * size;
  const recent = withoutExpired(buckets, now, windowMs);
  const current: Bucket<Kind> = recent.find((one) => one.at === at) ?? { at, counts: {} };
  const counts = { ...current.counts, [kind]: (current.counts[kind] ?? 0) + 1 };
  return [...recent.filter((one) => one !== current), { at, counts }];
}

export const totalOf = <Kind extends string>(
  buckets: readonly Bucket<Kind>[],
  kind: Kind,
): number => buckets.reduce((sum, { counts }) => sum + (counts[kind] ?? 0), 0);
