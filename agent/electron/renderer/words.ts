/** Stands where there is no value. */
export const none = '–';

/** Stands for a process that the system did not name. */
export const unnamed = 'Unknown';

const conjunction = new Intl.ListFormat('en', { type: 'conjunction' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' });
const moment = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** `a`, `a and b`, `a, b, and c`. */
export const listNames = (names: string[]): string => conjunction.format(names);

/** The day of a time in ISO 8601, as the reader's calendar has it. */
export const formatDay = (time: string): string => day.format(Date.parse(time));

/** The day and time of day, to the second. */
export const formatMoment = (time: string): string => moment.format(Date.parse(time));

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Bytes in decimal units; null where the system does not count them. */
export function formatBytes(bytes: number | null): string {
  if (bytes === null) return none;
  let value = bytes;
  let unit = 0;
  // 999.5 would be shown as 1000 of the smaller unit.
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toFixed(unit > 0 && value < 9.95 ? 1 : 0)} ${units[unit]}`;
}
