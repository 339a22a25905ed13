import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#lib/time-units.ts';
import { readDisplay, zoneName } from './display.ts';

/** Placeholder for a missing value. */
export const NONE = '–';

const whole = new Intl.NumberFormat('en-US');
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const cents = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 4,
});
const manyDollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 });
const dayOnly = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});

/** Formats in the chosen zone; a formatter is made when the zone is another one than before. */
function inZone(options: Intl.DateTimeFormatOptions): (at: number) => string {
  let made: { zone: string; format: (at: number) => string } | undefined;
  return (at) => {
    const zone = readDisplay().timeZone;
    if (made?.zone !== zone) {
      const formatter = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zoneName() });
      made = { zone, format: (time) => formatter.format(time) };
    }
    return made.format(at);
  };
}

export const formatCount = (count: number): string => whole.format(count);

/** `1 device`, `2 devices`. */
export const formatMany = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** Bytes in decimal units with two or three digits; null if they are not counted. */
export function formatBytes(bytes: number | null): string {
  if (bytes === null) return NONE;
  let value = bytes;
  let unit = 0;
  // 999.5 would be formatted as 1000 of the smaller unit.
  while (value >= 999.5 && unit < byteUnits.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  return `${value.toFixed(digits)} ${byteUnits[unit]}`;
}

/** Milliseconds, in the one or two largest units. */
export function formatDuration(ms: number): string {
  const rounded = Math.max(0, Math.round(ms));
  if (rounded < SECOND_MS) return `${rounded} ms`;
  if (rounded < 10 * SECOND_MS) return `${(Math.floor(rounded / 100) / 10).toFixed(1)} s`;
  if (rounded < MINUTE_MS) return `${Math.floor(rounded / SECOND_MS)} s`;
  if (rounded < HOUR_MS) return inTwo(rounded, MINUTE_MS, 'min', SECOND_MS, 's');
  if (rounded < DAY_MS) return inTwo(rounded, HOUR_MS, 'h', MINUTE_MS, 'min');
  return inTwo(rounded, DAY_MS, 'd', HOUR_MS, 'h');
}

function inTwo(ms: number, large: number, l: string, small: number, s: string): string {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)} ${l}${rest > 0 ? ` ${rest} ${s}` : ''}`;
}

/** `3 min ago`, `in 12 d`; a date once it is more than 30 days away. Both in milliseconds. */
export function formatAgo(at: number, now: number): string {
  const distance = Math.abs(now - at);
  if (distance > 30 * DAY_MS) return formatDate(at);
  if (distance < 5 * SECOND_MS) return 'just now';
  const length = inOne(distance);
  return at <= now ? `${length} ago` : `in ${length}`;
}

function inOne(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)} h`;
  return `${Math.floor(ms / DAY_MS)} d`;
}

/** The time of day with its zone, such as `14:30 GMT+1`. */
export const formatTime = inZone({ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' });

/** The date. */
const formatDate = inZone({ dateStyle: 'medium' });

/** The full date and time with its zone. */
export const formatExact = inZone({ dateStyle: 'medium', timeStyle: 'long' });

/** For cells, whose width is fixed: from a hundred thousand dollars on `$150.25K`. */
export const formatMoneyInShort = (amount: number): string =>
  amount >= 99_999.995 ? manyDollars.format(amount) : formatMoney(amount);

/** For cells, whose width is fixed: from ten million on `12.35M`. */
export const formatCountInShort = (count: number): string =>
  count >= 1e7 ? short.format(count) : formatCount(count);

/** USD with cents; below one dollar with four decimals. */
export function formatMoney(amount: number): string {
  if (amount === 0) return '$0.00';
  if (amount >= 0.999_95) return dollars.format(amount);
  return amount < 0.0001 ? '<$0.0001' : cents.format(amount);
}

/** USD for the ticks of an axis: `$0.02`, `$12K`. */
export const formatShortMoney = (amount: number): string =>
  amount >= 1000 ? `$${short.format(amount)}` : formatTick(amount);

const formatTick = (amount: number): string => `$${Number(amount.toPrecision(3))}`;

/** A percentage from 0 to 100, with one decimal below 10: `0.4%`. */
export function formatPercent(percentage: number): string {
  if (percentage > 0 && percentage < 0.1) return '<0.1%';
  return `${percentage.toFixed(percentage > 0 && percentage < 10 ? 1 : 0)}%`;
}

/** `12K`, `3.4M`: for the ticks of an axis. */
export const formatShort = (count: number): string => short.format(count);

/** A day in UTC (`2026-11-21`) as `21 Nov`. */
export const formatDay = (day: string): string => dayOnly.format(Date.parse(day));

/** `v3 applied`, or `v2 of v3, pending`. Version 0: the device is not configured yet. */
export const formatVersion = (target: number, applied: number): string =>
  applied >= target ? `v${applied} applied` : `v${applied} of v${target}, pending`;

/** `[::1]:443`, `10.0.0.1:443`. */
export const formatEndpoint = (address: string, port: number): string =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
