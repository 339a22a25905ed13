import { toStorable, toStorableText } from './storable.ts';

export const MAX_NAME = 200;
const MAX_TEXT = 1_000_000;
const MAX_USD = 1_000_000;

// Agents in JavaScript can pass values that the types forbid. A single invalid field would make the
// server reject the whole batch, so all values are brought within the limits of the contract.

export function text(value: unknown, maxLength = MAX_TEXT): string {
  const stored = toStorable(typeof value === 'string' ? value.slice(0, maxLength) : value);
  const whole = typeof stored === 'string' ? stored : (JSON.stringify(stored) ?? '');
  return toStorableText(whole.slice(0, maxLength));
}

export const optionalText = (value: unknown, longest = MAX_TEXT): string | undefined =>
  value === undefined || value === null ? undefined : text(value, longest);

export const name = (value: unknown, fallback: string): string =>
  optionalText(value, MAX_NAME) || fallback;

const MAX_SPAN_ID = 64;

export const spanId = (value: unknown): string | undefined =>
  optionalText(value, MAX_SPAN_ID) || undefined;

const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(9999, 11, 31);

/**
 * Converts a time to ISO 8601. Returns undefined if it is invalid or outside the range that the
 * server accepts.
 */
export function time(value: unknown): string | undefined {
  const ms =
    value instanceof Date ? value.getTime() : typeof value === 'string' ? Date.parse(value) : value;
  if (typeof ms !== 'number' || !(ms >= EARLIEST && ms <= LATEST)) return undefined;
  return new Date(ms).toISOString();
}

export const id = (value: unknown): string | undefined => optionalText(value, MAX_NAME);

/** Converts a value to a list of short texts. A single value becomes a list with one item. */
export function texts(value: unknown, maxItems: number): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const isList = Array.isArray(value) || value instanceof Set;
  const items: unknown[] = isList ? [...(value as Iterable<unknown>)] : [value];
  return items.slice(0, maxItems).map((item) => text(item, MAX_NAME));
}

export const count = (value: unknown, most = Number.MAX_SAFE_INTEGER): number =>
  typeof value === 'number' ? Math.min(Math.max(Math.trunc(value) || 0, 0), most) : 0;

export const optionalCount = (value: unknown, most?: number): number | undefined =>
  typeof value === 'number' ? count(value, most) : undefined;

export const usd = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 ? Math.min(value, MAX_USD) : undefined;
