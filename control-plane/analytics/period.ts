import type { Period } from '#contract/fields.ts';

const HOUR_MS = 3_600_000;
const days: Record<Period, number> = { '1d': 1, '7d': 7, '30d': 30 };

/** Full hours, the first and the last: totals are kept by the hour. Both count. */
export interface Hours {
  from: number;
  to: number;
}

/** The hours, counted from 1970, of a period that ends now; its first hour counts as a whole. */
export const hoursOf = (period: Period, now: number): Hours => ({
  from: Math.floor(now / HOUR_MS) - days[period] * 24,
  to: Math.floor(now / HOUR_MS),
});

export const startOfHour = (hour: number): number => hour * HOUR_MS;

/** `YYYY-MM-DD` of a day, counted from 1970. */
export const dateOf = (day: number): string =>
  new Date(startOfHour(day * 24)).toISOString().slice(0, 10);
