const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The periods over which usage counts towards a budget. */
export const usagePeriods = ['day', 'week', 'month'] as const;
export type UsagePeriod = (typeof usagePeriods)[number];

/** A local time: `YYYY-MM-DD`, the weekday from 0 for Monday, and `HH:MM`. */
export interface LocalTime {
  date: string;
  day: number;
  time: string;
}
/** Returns the local time of a time zone. */
export type Clock = (at: number) => LocalTime;

/** Hours from the start of a period to a time within the next one, even if the clocks change. */
const INTO_NEXT: Record<UsagePeriod, number> = { day: 36, week: 7 * 24 + 12, month: 32 * 24 };

/** The start of the period that contains a time. Weeks start on Monday. */
export function startOfPeriod(period: UsagePeriod, now: number, clock: Clock): number {
  const { date, day } = clock(now);
  const local = Date.parse(`${date}T00:00:00Z`);
  if (period === 'day') return midnight(local, clock);
  if (period === 'week') return midnight(local - day * 24 * HOUR_MS, clock);
  return midnight(Date.parse(`${date.slice(0, 7)}-01T00:00:00Z`), clock);
}

/** The start of the next period. */
export const endOfPeriod = (period: UsagePeriod, start: number, clock: Clock): number =>
  startOfPeriod(period, start + INTO_NEXT[period] * HOUR_MS, clock);

/** The start of a date, which is given as if it were in UTC. */
function midnight(local: number, clock: Clock): number {
  const candidates = [-24, 24].map((hours) => local - offsetAt(local + hours * HOUR_MS, clock));
  const first = Math.min(...candidates);
  // If the clocks skip midnight, the day starts after the skipped hour.
  return offsetAt(first, clock) === local - first ? first : Math.max(...candidates);
}

/** The offset of local time from UTC. */
function offsetAt(at: number, clock: Clock): number {
  const { date, time } = clock(at);
  return Date.parse(`${date}T${time}Z`) - Math.floor(at / MINUTE_MS) * MINUTE_MS;
}
