import { MOST_REDACTED_KINDS } from '#contract/captures.ts';

/** The beginning of a text as the contract and both databases keep it: no NUL, no half of a surrogate pair. */
export function textField(text: string, most: number): string {
  const beginning = text.slice(0, most);
  const isHalved = beginning.length < text.length && /[\uD800-\uDBFF]$/.test(beginning);
  const whole = isHalved ? beginning.slice(0, -1) : beginning;
  return whole.replaceAll('\0', '\uFFFD').toWellFormed();
}

/** As many kinds as a report may name. */
export const kindsField = (counts: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).slice(0, MOST_REDACTED_KINDS));

const name = '[a-z0-9][a-z0-9!#$&^_.+-]{0,126}';
const mediaType = new RegExp(`^${name}/${name}$`);

/** The type and subtype of a `Content-Type` (RFC 6838, 4.2). Parameters may hold anything: they go. */
export function mediaTypeField(header: string | null): string | null {
  const essence = header?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return essence.length <= 200 && mediaType.test(essence) ? essence : null;
}
