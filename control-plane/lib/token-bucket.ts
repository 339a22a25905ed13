import { LruMap } from '#lib/lru-map.ts';

export interface Allowance {
  /** How many may be taken at once after an idle period. */
  burst: number;
  /** Then one per this many milliseconds. */
  everyMs: number;
}

/** Takes one and returns 0, or takes nothing and returns the milliseconds to wait. */
export type Take = (name: string, now: number) => number;

/**
 * A token bucket per name. Remembers at most `maxNames` names, evicting the least recently used: an
 * evicted name starts with a full bucket.
 */
export function createAllowance({ burst, everyMs }: Allowance, maxNames = 10_000): Take {
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
