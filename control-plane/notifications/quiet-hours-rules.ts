import type { QuietHours } from '#contract/notifications.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
/** More than the hour that clocks jump when daylight saving time begins or ends. */
const JUMP_MINUTES = 90;
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

interface LocalTime {
  /** The day of the week, from 1 for Monday to 7 for Sunday. */
  day: number;
  minute: number;
}

/** Returns when the quiet hours around this time end; null outside of quiet hours. */
export function quietUntil(quiet: QuietHours, time: number): number | null {
  const clock = clockOf(quiet.time_zone);
  const left = minutesLeft(quiet, clock(time));
  if (left === 0) return null;
  let end = Math.floor(time / MINUTE_MS) * MINUTE_MS;
  // Periods may be adjacent. The number of turns is limited, so that there is an end even if the
  // whole week is quiet.
  for (let turn = 0, more = left; turn < 14 && more > 0; turn += 1) {
    end = endNear(quiet, clock, end, more);
    more = minutesLeft(quiet, clock(end));
  }
  return end;
}

/**
 * Returns the first minute after `from` at which the current period is over, by the local clock.
 */
function endNear(
  quiet: QuietHours,
  clock: (time: number) => LocalTime,
  from: number,
  minutes: number,
): number {
  let at = from + Math.max(1, minutes - JUMP_MINUTES) * MINUTE_MS;
  const last = from + (minutes + JUMP_MINUTES) * MINUTE_MS;
  // A minute in which the next period begins also counts as an end, because the caller continues
  // from there.
  while (at < last && minutesLeft(quiet, clock(at)) > 0 && at !== from + minutes * MINUTE_MS)
    at += MINUTE_MS;
  return at;
}

/** Returns the minutes of quiet that remain by the local clock; 0 outside of quiet hours. */
function minutesLeft({ periods }: QuietHours, { day, minute }: LocalTime): number {
  const left = periods.flatMap(({ days, from, to }) => {
    const [begin, finish] = [minuteOf(from), minuteOf(to)];
    const length = ((finish - begin + DAY_MINUTES - 1) % DAY_MINUTES) + 1;
    const today = days.includes(day) ? begin + length - minute : 0;
    const yesterday = days.includes(day === 1 ? 7 : day - 1)
      ? begin + length - DAY_MINUTES - minute
      : 0;
    return [minute >= begin ? today : 0, yesterday];
  });
  return Math.max(0, ...left);
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

function clockOf(timeZone: string): (time: number) => LocalTime {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (time) => {
    const parts = Object.fromEntries(
      format.formatToParts(time).map(({ type, value }) => [type, value]),
    );
    return {
      day: weekdays.indexOf(parts.weekday ?? '') + 1,
      minute: Number(parts.hour) * 60 + Number(parts.minute),
    };
  };
}
