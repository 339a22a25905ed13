import { LruMap } from '#lib/lru-map.ts';

export interface RateLimit {
  /** The number that can be taken at once after an idle period. */
  burst: number;
  /** After a burst, one becomes available per this many milliseconds. */
  everyMs: number;
}

/** Takes one and returns 0, or takes none and returns the milliseconds to wait. */
export type TakeToken = (name: string, now: number) => number;

/**
 * Creates a token bucket per name. It keeps at most `maxNames` names and evicts the least recently
 * used one. An evicted name starts again with a full bucket.
 */
export function createTokenBuckets({ burst, everyMs }: RateLimit, maxNames = 10_000): TakeToken {
  const used = new LruMap<string, { debt: number; at: number }>(maxNames);
  return (name, now) => {
    const before = used.get(name) ?? { debt: 0, at: now };
    // A clock that was set back must not add to the debt.
    const debt = Math.max(0, before.debt - Math.max(0, now - before.at));
    const wait = debt + everyMs - burst * everyMs;
    used.set(name, { debt: wait > 0 ? debt : debt + everyMs, at: now });
    return Math.max(0, wait);
  };
}
