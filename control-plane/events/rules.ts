import { DAY_MS } from '#lib/time-units.ts';
export type Event = Record<string, unknown>;

const MAX_LENGTH = 200;
const MAX_CLOCK_SKEW_MS = DAY_MS;
// Seconds since 1970 have eleven digits from the year 5138 on; milliseconds have had them since
// March 1973.
const MIN_MILLISECONDS = 1e11;

/** Returns the columns for filtering. Clients send `event` as often as `event_type`. */
export const fieldsOf = (event: Event) => ({
  event_type: text(event.event_type) ?? text(event.event),
  agent_name: text(event.agent_name),
  action: text(event.action),
  operator: text(event.operator),
  reason: text(event.reason),
  run_id: runIdOf(event.run_id),
});

/** Returns a field truncated for the index. The body has the full value. */
function text(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  // Truncation may split a surrogate pair, which could not be stored.
  return String(value).slice(0, MAX_LENGTH).toWellFormed() || null;
}

function runIdOf(value: unknown): number | null {
  const id = typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(id) && (id as number) > 0 ? (id as number) : null;
}

/**
 * Returns when an event happened, in milliseconds. This is its own timestamp, or the current time
 * if that is missing or implausible. A time in the future would keep the event at the top of every
 * list until then.
 */
export function occurredAt({ timestamp }: Event, now: number): number {
  const time = typeof timestamp === 'number' ? fromNumber(timestamp) : fromText(timestamp);
  return time >= 0 && time <= now + MAX_CLOCK_SKEW_MS ? time : now;
}

const fromNumber = (value: number): number =>
  Math.round(value < MIN_MILLISECONDS ? value * 1000 : value);

const ISO =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * Parses ISO 8601, including dates without a time and a space instead of the T. The default offset
 * is UTC.
 */
function fromText(value: unknown): number {
  const [, date, time = '00:00', zone = 'Z'] = (typeof value === 'string' && ISO.exec(value)) || [];
  if (!date) return Number.NaN;
  const offset = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone.replace(/(\d\d)(\d\d)$/, '$1:$2');
  return Date.parse(`${date}T${time}${offset.toUpperCase()}`);
}
