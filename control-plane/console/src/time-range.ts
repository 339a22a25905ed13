import { t } from '@lingui/core/macro';
import { HOUR_MS } from '#lib/time-units.ts';
import { zoneName } from './display.ts';
import type { Filters } from './use-filters.ts';

/** Periods up to now, by their name in the URL. */
export const lengths = {
  '1h': { name: t`Last hour`, ms: HOUR_MS },
  '1d': { name: t`Last 24 hours`, ms: 24 * HOUR_MS },
  '7d': { name: t`Last 7 days`, ms: 7 * 24 * HOUR_MS },
  '30d': { name: t`Last 30 days`, ms: 30 * 24 * HOUR_MS },
} as const;

type Length = keyof typeof lengths;

/** A period up to now, or a start and an end in ISO 8601, both optional. */
export interface TimeRange {
  since?: Length;
  start?: string;
  end?: string;
}

/** Time range from the URL. Drops invalid times: URLs can be edited by hand. */
export function timeRangeOf({ get }: Pick<Filters, 'get'>): TimeRange {
  const since = Object.keys(lengths).find((id): id is Length => id === get('since'));
  if (since) return { since };
  const [start, end] = [momentOf(get('start')), momentOf(get('end'))];
  return { ...(start && { start }), ...(end && { end }) };
}

const momentOf = (text: string): string | undefined =>
  text !== '' && Number.isFinite(Date.parse(text)) ? new Date(text).toISOString() : undefined;

/**
 * Converts the range to query parameters of the service, relative to `now` (epoch milliseconds).
 */
export function queryOf(range: TimeRange, now: number): { start?: string; end?: string } {
  if (!range.since) return range;
  return { start: new Date(now - lengths[range.since].ms).toISOString() };
}

/**
 * Converts a time to the value of a `datetime-local` field, in the display time zone and to the
 * minute.
 */
export function toLocal(moment: string): string {
  const at = Date.parse(moment);
  return new Date(at + offsetOfZone(zoneName(), at)).toISOString().slice(0, 16);
}

/** The inverse of `toLocal`. An empty field results in an empty string. */
export function fromLocal(local: string): string {
  if (local === '') return '';
  const zone = zoneName();
  const asUtc = Date.parse(`${local}Z`);
  // The first offset is only approximate within hours of a clock change.
  const near = asUtc - offsetOfZone(zone, asUtc);
  return new Date(asUtc - offsetOfZone(zone, near)).toISOString();
}

/** The offset of a time zone from UTC at a time, both in milliseconds. */
export function offsetOfZone(zone: string, at: number): number {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}
