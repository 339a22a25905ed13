import { wallClock } from '../../lib/calendar.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** The time from Monday to the Thursday on which 1970 began, because weeks begin on Monday. */
const MONDAY_MS = 3 * DAY_MS;

export type Interval = 'none' | 'hour' | 'day' | 'week';

export interface TimeSpan {
  start: number;
  end: number;
}

/** The offset of local time from UTC, beginning at a time. */
interface Shift {
  from: number;
  offset: number;
}

export interface Intervals {
  /** The length of each interval in local time; 0 if there is only one interval. */
  length: number;
  /** In ascending order. The first one applies from the start of the span. */
  shifts: readonly Shift[];
  /** The number of the first interval, counted since 1970. */
  first: number;
  spans: readonly TimeSpan[];
}

/** Returns the offset of local time from UTC, in milliseconds. */
function offsetAt(zone: string, at: number): number {
  const { date, time } = wallClock(at, zone);
  return Date.parse(`${date}T${time}Z`) - Math.floor(at / MINUTE_MS) * MINUTE_MS;
}

/**
 * Returns the offsets of a zone, which change a few times a year. Changes are searched by day, and
 * then to the minute.
 */
function shiftsOf(zone: string, { start, end }: TimeSpan): Shift[] {
  const shifts = [{ from: start, offset: offsetAt(zone, start) }];
  for (let at = start; at < end; at += DAY_MS) {
    const { offset } = shifts.at(-1) as Shift;
    const next = Math.min(at + DAY_MS, end);
    if (offsetAt(zone, next) === offset) continue;
    let [low, high] = [at, next];
    while (high - low > MINUTE_MS) {
      const middle = Math.floor((low + high) / 2);
      if (offsetAt(zone, middle) === offset) low = middle;
      else high = middle;
    }
    const from = Math.floor(high / MINUTE_MS) * MINUTE_MS;
    shifts.push({ from, offset: offsetAt(zone, from) });
  }
  return shifts;
}

const lengths: Record<Interval, number> = { none: 0, hour: HOUR_MS, day: DAY_MS, week: WEEK_MS };

export function intervalsOf(interval: Interval, zone: string, span: TimeSpan): Intervals {
  const length = lengths[interval];
  if (length === 0) return { length, shifts: [], first: 0, spans: [] };
  // An hour that a zone repeats is counted as two hours.
  const shifts =
    interval === 'hour'
      ? [{ from: span.start, offset: offsetAt(zone, span.start) % HOUR_MS }]
      : shiftsOf(zone, span);
  const first = numberOf({ length, shifts }, span.start);
  const count = numberOf({ length, shifts }, Math.max(span.start, span.end - 1)) - first + 1;
  const begin = (index: number): number =>
    index === 0 ? span.start : utcOf(shifts, (first + index) * length - weekAlignment(length));
  const spans = Array.from({ length: count }, (_, index) => ({
    start: begin(index),
    end: index + 1 === count ? span.end : begin(index + 1),
  }));
  return { length, shifts, first, spans };
}

/**
 * Returns what must be added to local time, so that dividing it by the length numbers the
 * intervals.
 */
export const weekAlignment = (length: number): number => (length === WEEK_MS ? MONDAY_MS : 0);

const numberOf = ({ length, shifts }: Pick<Intervals, 'length' | 'shifts'>, at: number): number =>
  Math.floor((at + offsetIn(shifts, at) + weekAlignment(length)) / length);

const offsetIn = (shifts: readonly Shift[], at: number): number =>
  (shifts.findLast(({ from }) => from <= at) ?? shifts[0])?.offset ?? 0;

/** Returns the first moment at which a local time occurs. */
function utcOf(shifts: readonly Shift[], local: number): number {
  for (const [index, { from, offset }] of shifts.entries()) {
    const at = Math.max(local - offset, index === 0 ? -Infinity : from);
    if (at < (shifts[index + 1]?.from ?? Infinity)) return at;
  }
  return local;
}

/** Returns the index of the interval that contains a time. */
export const indexOf = (intervals: Intervals, at: number): number =>
  intervals.length === 0 ? 0 : numberOf(intervals, at) - intervals.first;

/** Whether every hour of UTC is within one interval. */
export const coversHours = ({ length, shifts }: Intervals): boolean =>
  length === 0 || shifts.every(({ offset }) => offset % HOUR_MS === 0);

/**
 * Returns the hours of UTC that an interval boundary divides, which occurs in zones such as
 * India's.
 */
export const hoursAcrossIntervals = ({ spans }: Intervals): number[] =>
  spans.flatMap(({ start }) => (start % HOUR_MS === 0 ? [] : [Math.floor(start / HOUR_MS)]));
