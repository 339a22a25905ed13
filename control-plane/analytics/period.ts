import type { Period } from '#contract/fields.ts';
import { HOUR_MS } from '#lib/time-units.ts';

const days: Record<Period, number> = { '1d': 1, '7d': 7, '30d': 30 };

/** The first and last hour of a range, both inclusive, because totals are stored by the hour. */
export interface Hours {
  from: number;
  to: number;
}

/** Returns the hours since 1970 of a period that ends now. The first hour counts in full. */
export const hoursOf = (period: Period, now: number): Hours => ({
  from: Math.floor(now / HOUR_MS) - days[period] * 24,
  to: Math.floor(now / HOUR_MS),
});

export const startOfHour = (hour: number): number => hour * HOUR_MS;

/** Returns a day since 1970 as `YYYY-MM-DD`. */
export const dateOf = (day: number): string =>
  new Date(startOfHour(day * 24)).toISOString().slice(0, 10);
