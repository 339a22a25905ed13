const DAY_MS = 86_400_000;

export interface Forecast {
  /** USD, at the end of the month. */
  cost: number;
  /** Days since the month began, with a fraction. */
  elapsed: number;
  /** Days of the month. */
  days: number;
}

/** The first moment of a month in UTC. */
export const startOfMonth = (now: number): number => {
  const at = new Date(now);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1);
};

/**
 * What the month costs if it goes on as it did so far; undefined on its first day, of which too little is
 * known.
 */
export function forecastOf(spent: number, now: number): Forecast | undefined {
  const at = new Date(now);
  const start = startOfMonth(now);
  const days = (Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1) - start) / DAY_MS;
  const elapsed = (now - start) / DAY_MS;
  return elapsed < 1 ? undefined : { cost: (spent / elapsed) * days, elapsed, days };
}
