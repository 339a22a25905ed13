import type { Filters } from './use-filters.ts';

const hour = 3_600_000;

/** Lengths up to now, as the address has them. */
export const lengths = {
  '1h': { name: 'Last hour', ms: hour },
  '1d': { name: 'Last 24 hours', ms: 24 * hour },
  '7d': { name: 'Last 7 days', ms: 7 * 24 * hour },
  '30d': { name: 'Last 30 days', ms: 30 * 24 * hour },
} as const;

type Length = keyof typeof lengths;

/** Up to now, or between two moments in ISO 8601 of which either may be missing. */
export interface TimeRange {
  since?: Length;
  start?: string;
  end?: string;
}

/** Of an address, which may be edited by hand: what is no time is left out. */
export function timeRangeOf({ get }: Pick<Filters, 'get'>): TimeRange {
  const since = Object.keys(lengths).find((id): id is Length => id === get('since'));
  if (since) return { since };
  const [start, end] = [momentOf(get('start')), momentOf(get('end'))];
  return { ...(start && { start }), ...(end && { end }) };
}

const momentOf = (text: string): string | undefined =>
  text !== '' && Number.isFinite(Date.parse(text)) ? new Date(text).toISOString() : undefined;

/** As the service is asked, at this moment. */
export function queryOf(range: TimeRange, now: number): { start?: string; end?: string } {
  if (!range.since) return range;
  return { start: new Date(now - lengths[range.since].ms).toISOString() };
}

/** As a field of type `datetime-local` has it: in the reader's time zone, to the minute. */
export function toLocal(moment: string): string {
  const at = new Date(moment);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** Back again; empty for an empty field. */
export const fromLocal = (local: string): string =>
  local === '' ? '' : new Date(local).toISOString();
