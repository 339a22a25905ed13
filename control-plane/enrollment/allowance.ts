export interface Allowance {
  /** So many at once, when there was quiet before. */
  burst: number;
  /** And then one in so many milliseconds. */
  everyMs: number;
}

/** Answers 0 and counts, or answers the milliseconds to wait and does not. */
export type Take = (name: string, now: number) => number;

/**
 * Counts what each name has used of an allowance. At most `most` names are remembered, those that
 * were heard of last: whoever is forgotten begins anew.
 */
export function createAllowance({ burst, everyMs }: Allowance, most = 10_000): Take {
  const used = new Map<string, { debt: number; at: number }>();
  return (name, now) => {
    const before = used.get(name) ?? { debt: 0, at: now };
    // A clock that was set back must not add to what is owed.
    const debt = Math.max(0, before.debt - Math.max(0, now - before.at));
    const wait = debt + everyMs - burst * everyMs;
    used.delete(name);
    used.set(name, { debt: wait > 0 ? debt : debt + everyMs, at: now });
    if (used.size > most) used.delete(used.keys().next().value ?? name);
    return Math.max(0, wait);
  };
}
