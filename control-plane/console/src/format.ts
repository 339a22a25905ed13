const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Placeholder for a missing value. */
export const none = '–';

const whole = new Intl.NumberFormat('en-US');
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 });
const dayOnly = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });
const timeOnly = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const dateOnly = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

export const formatCount = (count: number): string => whole.format(count);

/** `1 device`, `2 devices`. */
export const formatMany = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** Bytes in decimal units with two or three digits; null if they are not counted. */
export function formatBytes(bytes: number | null): string {
  if (bytes === null) return none;
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
  if (rounded < second) return `${rounded} ms`;
  if (rounded < 10 * second) return `${(Math.floor(rounded / 100) / 10).toFixed(1)} s`;
  if (rounded < minute) return `${Math.floor(rounded / second)} s`;
  if (rounded < hour) return inTwo(rounded, minute, 'm', second, 's');
  if (rounded < day) return inTwo(rounded, hour, 'h', minute, 'm');
  return inTwo(rounded, day, 'd', hour, 'h');
}

function inTwo(ms: number, large: number, l: string, small: number, s: string): string {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)} ${l}${rest > 0 ? ` ${rest} ${s}` : ''}`;
}

/** `3 min ago`, `in 12 d`; a date once it is more than 30 days away. Both in milliseconds. */
export function formatAgo(at: number, now: number): string {
  const distance = Math.abs(now - at);
  if (distance > 30 * day) return dateOnly.format(at);
  if (distance < 5 * second) return 'just now';
  const length = inOne(distance);
  return at <= now ? `${length} ago` : `in ${length}`;
}

function inOne(ms: number): string {
  if (ms < minute) return `${Math.floor(ms / second)} s`;
  if (ms < hour) return `${Math.floor(ms / minute)} min`;
  if (ms < day) return `${Math.floor(ms / hour)} h`;
  return `${Math.floor(ms / day)} d`;
}

/** The time of day in the reader's time zone, such as `14:30`. */
export const formatTime = (at: number): string => timeOnly.format(at);

/** The full date and time in the reader's time zone. */
export const formatExact = (at: number): string => exact.format(at);

/** USD; small amounts with up to four decimals: `$0.0075`. */
export function formatMoney(amount: number): string {
  if (amount === 0) return '$0';
  if (amount >= 1) return dollars.format(amount);
  if (amount < 0.0001) return '<$0.0001';
  return `$${amount.toFixed(4).replace(/00?$/, '')}`;
}

/** A percentage from 0 to 100, with one decimal below 10: `0.4 %`. */
export function formatPercent(percentage: number): string {
  if (percentage > 0 && percentage < 0.1) return '<0.1 %';
  return `${percentage.toFixed(percentage > 0 && percentage < 10 ? 1 : 0)} %`;
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
