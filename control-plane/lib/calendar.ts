import { LruMap } from '#lib/lru-map.ts';
import { DAY_MS } from '#lib/time-units.ts';
import { startOfPeriod as startBy, type UsagePeriod } from '#contract/usage-period.ts';

/** Local time in a time zone. */
export interface WallClock {
  /** `YYYY-MM-DD`. */
  date: string;
  /** The day of the week; 0 is Monday. */
  day: number;
  hour: number;
  /** `HH:MM`. */
  time: string;
}

interface Zone {
  format: Intl.DateTimeFormat;
  /**
   * Recent results by minutes since 1970. Computing the start of a period needs up to four in
   * addition to the current one.
   */
  recent: LruMap<number, WallClock>;
}

const MAX_RECENT = 32;

// These are cached, because creating a format takes longer than a whole evaluation. There are a few
// hundred zones.
const zones = new Map<string, Zone>();

/** @throws RangeError if there is no such zone */
function zoneOf(name: string): Zone {
  const key = name.toLowerCase();
  const zone = zones.get(key) ?? { format: formatOf(name), recent: new LruMap(MAX_RECENT) };
  zones.set(key, zone);
  return zone;
}

const formatOf = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });

/** Whether it is a name in the IANA time zone database. Offsets such as `+01:00` are not. */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    zoneOf(name);
    return true;
  } catch {
    return false;
  }
}

export function wallClock(now: number, zoneName: string): WallClock {
  const zone = zoneOf(zoneName);
  const minute = Math.floor(now / 60_000);
  let clock = zone.recent.get(minute);
  if (!clock) zone.recent.set(minute, (clock = read(zone.format, now)));
  return clock;
}

function read(format: Intl.DateTimeFormat, now: number): WallClock {
  const parts = Object.fromEntries(
    format.formatToParts(now).map(({ type, value }) => [type, value]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute', string>;
  const date = `${parts.year}-${parts.month}-${parts.day}`;
  return {
    date,
    day: (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7,
    hour: Number(parts.hour),
    time: `${parts.hour}:${parts.minute}`,
  };
}

/** The day of a time, in UTC days since 1970. */
export const dayOf = (now: number): number => Math.floor(now / DAY_MS);

/** Returns the first moment of the period that contains a time, in a time zone. */
export const startOfPeriod = (period: UsagePeriod, now: number, zone: string): number =>
  startBy(period, now, (at) => wallClock(at, zone));
