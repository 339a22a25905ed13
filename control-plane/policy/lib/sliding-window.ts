/** What was counted in a short stretch of time that begins at `at`. */
export interface Bucket<Kind extends string> {
  at: number;
  counts: Partial<Record<Kind, number>>;
}

/**
 * A window is counted in this many stretches, so that a busy one takes as little room as a quiet
 * one. A stretch counts until all of it has left the window: never less than what is in the window
 * is counted, and at most a sixtieth more.
 */
const STRETCHES = 60;

const sizeOf = (windowMs: number): number => Math.ceil(windowMs / STRETCHES);

/** Without what has left the window. */
export const stillRecent = <Kind extends string>(
  stretches: readonly Bucket<Kind>[],
  now: number,
  windowMs: number,
): Bucket<Kind>[] => stretches.filter(({ at }) => at + sizeOf(windowMs) > now - windowMs);

/** With one more of a kind now. */
export function countOne<Kind extends string>(
  stretches: readonly Bucket<Kind>[],
  { now, windowMs, kind }: { now: number; windowMs: number; kind: Kind },
): Bucket<Kind>[] {
  const size = sizeOf(windowMs);
  const at = Math.floor(now / size) * size;
  const recent = stillRecent(stretches, now, windowMs);
  const current: Bucket<Kind> = recent.find((one) => one.at === at) ?? { at, counts: {} };
  const counts = { ...current.counts, [kind]: (current.counts[kind] ?? 0) + 1 };
  return [...recent.filter((one) => one !== current), { at, counts }];
}

export const totalOf = <Kind extends string>(
  stretches: readonly Bucket<Kind>[],
  kind: Kind,
): number => stretches.reduce((sum, { counts }) => sum + (counts[kind] ?? 0), 0);
