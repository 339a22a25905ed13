const DAY_MS = 86_400_000;

export interface Forecast {
  /** In USD, for the whole month. */
  cost: number;
  /** Days since the start of the month, including a fraction. */
  elapsed: number;
  /** Number of days in the month. */
  days: number;
}

/** The start of the month in UTC. */
export const startOfMonth = (now: number): number => {
  const at = new Date(now);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1);
};

/**
 * Extrapolates the cost of the month from its cost so far. Undefined on the first day, which is too
 * little data.
 */
export function forecastOf(spent: number, now: number): Forecast | undefined {
  const at = new Date(now);
  const start = startOfMonth(now);
  const days = (Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1) - start) / DAY_MS;
  const elapsed = (now - start) / DAY_MS;
  return elapsed < 1 ? undefined : { cost: (spent / elapsed) * days, elapsed, days };
}
