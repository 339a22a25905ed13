import { t } from '@lingui/core/macro';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#lib/time-units.ts';
import { readDisplay, zoneName } from './display.ts';
import { dateLocale, numberLocale } from './language/locales.ts';

/** Placeholder for a missing value. */
export const NONE = '–';

const whole = new Intl.NumberFormat(numberLocale);
const dollars = new Intl.NumberFormat(numberLocale, { style: 'currency', currency: 'USD' });
const cents = new Intl.NumberFormat(numberLocale, {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 4,
});
const manyDollars = new Intl.NumberFormat(numberLocale, {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const short = new Intl.NumberFormat(numberLocale, {
  notation: 'compact',
  maximumFractionDigits: 2,
});
const dayOnly = new Intl.DateTimeFormat(dateLocale, {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});

/** Creates a formatter for the chosen time zone. It is created again when the time zone changes. */
function inZone(options: Intl.DateTimeFormatOptions): (at: number) => string {
  let made: { zone: string; format: (at: number) => string } | undefined;
  return (at) => {
    const zone = readDisplay().timeZone;
    if (made?.zone !== zone) {
      const formatter = new Intl.DateTimeFormat(dateLocale, { ...options, timeZone: zoneName() });
      made = { zone, format: (time) => formatter.format(time) };
    }
    return made.format(at);
  };
}

export const formatCount = (count: number): string => whole.format(count);

const fixed = ([0, 1] as const).map(
  (digits) =>
    new Intl.NumberFormat(numberLocale, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      useGrouping: false,
    }),
);

/** Formats a number with the decimal separator of the language. */
const toDecimal = (value: number, digits: 0 | 1): string => fixed[digits]!.format(value);

const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/**
 * Formats bytes in decimal units with two or three digits. Null means that they are not counted.
 */
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
  return `${toDecimal(value, digits)} ${byteUnits[unit]}`;
}

/** Formats milliseconds in the one or two largest units. */
export function formatDuration(ms: number): string {
  const rounded = Math.max(0, Math.round(ms));
  if (rounded < SECOND_MS) return t`${rounded} ms`;
  if (rounded < 10 * SECOND_MS) return secondsText(toDecimal(Math.floor(rounded / 100) / 10, 1));
  return [inOne(rounded), ...restOf(rounded)].join(' ');
}

const units = [DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS] as const;

/** Formats the remainder below the largest unit, in the next smaller unit. */
function restOf(ms: number): string[] {
  const at = units.findIndex((unit) => ms >= unit);
  const unit = units[at] ?? SECOND_MS;
  const rest = ms % unit;
  return rest < (units[at + 1] ?? unit) ? [] : [inOne(rest)];
}

const secondsText = (seconds: number | string): string => t`${seconds} s`;

/**
 * Formats a time relative to `now`: `3 min ago`, `in 12 d`, or a date if it is more than 30 days
 * away. Both are in milliseconds.
 */
export function formatAgo(at: number, now: number): string {
  const distance = Math.abs(now - at);
  if (distance > 30 * DAY_MS) return formatDate(at);
  if (distance < 5 * SECOND_MS) return t`just now`;
  const length = inOne(distance);
  return at <= now ? t`${length} ago` : t`in ${length}`;
}

/** Formats the time until a moment, such as `12 min`, or a date if it is more than 30 days away. */
export function formatRemaining(until: number, now: number): string {
  const left = Math.max(until - now, 0);
  if (left > 30 * DAY_MS) return formatDate(until);
  return left < 5 * SECOND_MS ? secondsText(0) : inOne(left);
}

function inOne(ms: number): string {
  if (ms < MINUTE_MS) return secondsText(Math.floor(ms / SECOND_MS));
  const [minutes, hours, days] = [MINUTE_MS, HOUR_MS, DAY_MS].map((unit) => Math.floor(ms / unit));
  if (ms < HOUR_MS) return t`${minutes ?? 0} min`;
  if (ms < DAY_MS) return t`${hours ?? 0} h`;
  return t`${days ?? 0} d`;
}

/** Formats the time of day with its zone, such as `14:30 GMT+1`. */
export const formatTime = inZone({ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' });

/** Formats the date. */
const formatDate = inZone({ dateStyle: 'medium' });

/** Formats the full date and time with its zone. */
export const formatExact = inZone({ dateStyle: 'medium', timeStyle: 'long' });

/**
 * Formats USD for table cells, whose width is fixed: `$150.25K` from a hundred thousand dollars up.
 */
export const formatMoneyInShort = (amount: number): string =>
  amount >= 99_999.995 ? manyDollars.format(amount) : formatMoney(amount);

/** Formats a count for table cells, whose width is fixed: `12.35M` from ten million up. */
export const formatCountInShort = (count: number): string =>
  count >= 1e7 ? short.format(count) : formatCount(count);

/** Formats USD with cents, or with four decimals below one dollar. */
export function formatMoney(amount: number): string {
  if (amount === 0) return '$0.00';
  if (amount >= 0.999_95) return dollars.format(amount);
  return amount < 0.0001 ? '<$0.0001' : cents.format(amount);
}

/** Formats a monthly price, such as `$99.00 a month`. */
export const formatMonthlyPrice = (cents: number): string =>
  cents === 0 ? t`Included` : t`${formatMoney(cents / 100)} a month`;

/** Formats USD for the ticks of an axis: `$0.02`, `$12K`. */
export const formatShortMoney = (amount: number): string =>
  amount >= 1000 ? `$${short.format(amount)}` : formatTick(amount);

const formatTick = (amount: number): string => `$${Number(amount.toPrecision(3))}`;

/** Formats a percentage from 0 to 100, with one decimal below 10: `0.4%`. */
export function formatPercent(percentage: number): string {
  if (percentage > 0 && percentage < 0.1) return '<0.1%';
  return `${toDecimal(percentage, percentage > 0 && percentage < 10 ? 1 : 0)}%`;
}

/** Formats a count for the ticks of an axis: `12K`, `3.4M`. */
export const formatShort = (count: number): string => short.format(count);

/** Formats a day in UTC (`2026-11-21`) as `21 Nov`. */
export const formatDay = (day: string): string => dayOnly.format(Date.parse(day));

/**
 * Formats configuration versions: `v3 applied`, or `v2 of v3, pending`. Version 0 means that the
 * device has no configuration yet.
 */
export const formatVersion = (target: number, applied: number): string =>
  applied >= target ? t`v${applied} applied` : t`v${applied} of v${target}, pending`;

/** Formats an address and port: `[::1]:443`, `10.0.0.1:443`. */
export const formatEndpoint = (address: string, port: number): string =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
