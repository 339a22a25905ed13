import { storable, storableText } from './storable.ts';

export const LONGEST_NAME = 200;
const LONGEST_TEXT = 1_000_000;
const MOST_USD = 1_000_000;

// Agents written in JavaScript hand in what their types forbid; one such field would have the server
// refuse all that travels with it. So everything is brought within the limits of the contract.

export function text(value: unknown, longest = LONGEST_TEXT): string {
  const kept = storable(typeof value === 'string' ? value.slice(0, longest) : value);
  const whole = typeof kept === 'string' ? kept : (JSON.stringify(kept) ?? '');
  return storableText(whole.slice(0, longest));
}

export const optionalText = (value: unknown, longest = LONGEST_TEXT): string | undefined =>
  value === undefined || value === null ? undefined : text(value, longest);

export const name = (value: unknown, instead: string): string =>
  optionalText(value, LONGEST_NAME) || instead;

export const id = (value: unknown): string | undefined => optionalText(value, LONGEST_NAME);

/** A list of short texts; one alone counts as a list of it. */
export function texts(value: unknown, most: number): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const isList = Array.isArray(value) || value instanceof Set;
  const items: unknown[] = isList ? [...(value as Iterable<unknown>)] : [value];
  return items.slice(0, most).map((item) => text(item, LONGEST_NAME));
}

export const count = (value: unknown, most = Number.MAX_SAFE_INTEGER): number =>
  typeof value === 'number' ? Math.min(Math.max(Math.trunc(value) || 0, 0), most) : 0;

export const optionalCount = (value: unknown, most?: number): number | undefined =>
  typeof value === 'number' ? count(value, most) : undefined;

export const usd = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 ? Math.min(value, MOST_USD) : undefined;
