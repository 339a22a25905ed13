import { MAX_REDACTED_KINDS } from '#contract/captures.ts';

/**
 * Returns a prefix of a text that the contract and both databases accept: no NUL, no half of a
 * surrogate pair.
 */
export function textField(text: string, maxLength: number): string {
  const start = text.slice(0, maxLength);
  const endsInHalfPair = start.length < text.length && /[\uD800-\uDBFF]$/.test(start);
  const whole = endsInHalfPair ? start.slice(0, -1) : start;
  return whole.replaceAll('\0', '\uFFFD').toWellFormed();
}

/** Returns the first kinds, up to the limit of a report. */
export const kindsField = (counts: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).slice(0, MAX_REDACTED_KINDS));

const NAME = '[a-z0-9][a-z0-9!#$&^_.+-]{0,126}';
const mediaType = new RegExp(`^\\s*(${NAME}/${NAME})\\s*(?:;|$)`, 'i');

/**
 * Returns the type and subtype of a `Content-Type` (RFC 6838, 4.2). Parameters may contain anything
 * and are dropped.
 */
export function mediaTypeField(header: string | null): string | null {
  const found = header === null ? undefined : mediaType.exec(header)?.[1];
  return found && found.length <= 200 ? found.toLowerCase() : null;
}
