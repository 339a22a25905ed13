// What providers send, and what is left of it after redaction: nothing about a shape is taken for
// granted, and what is of another type counts as missing.

export interface JsonObject {
  readonly [member: string]: unknown;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member of members, or an item of lists; undefined where there is none. */
export const field = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
        ? (inner as JsonObject)[name]
        : undefined,
    value,
  );

/** Is it an object with one of these members? */
export const hasSome = (value: unknown, ...names: readonly string[]): boolean =>
  isObject(value) && names.some((name) => Object.hasOwn(value, name));

/** Text that is not empty. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const countOf = (value: unknown): number | null =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER
    ? Math.round(value)
    : null;

/** Of the numbers that there are. */
export function sumOf(...numbers: readonly (number | null)[]): number | null {
  const known = numbers.filter((number) => number !== null);
  return known.length > 0 ? known.reduce((sum, number) => sum + number, 0) : null;
}

/** Texts joined; null when nothing is in them. */
export const joinedOf = (texts: readonly (string | null)[], divider: string): string | null =>
  textOf(texts.filter((text) => text !== null).join(divider));

/** Sets an own member, `__proto__` being one like any other. */
export function setMember(target: object, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(target, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  else (target as Record<string, unknown>)[name] = value;
}

const LOGPROBS: ReadonlySet<string> = new Set(['logprobs', 'logprobsResult']);

/**
 * JSON text of the value without log probabilities. They hold the text of an answer once more,
 * token by token: in such pieces no secret is found.
 *
 * @param text that the value was read from; it stays as it is where it holds none
 */
export function textWithoutLogprobs(value: unknown, text: string = JSON.stringify(value)): string {
  return text.includes('"logprobs') ? JSON.stringify(without(value)) : text;
}

function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      LOGPROBS.has(name) ? null : without(inner),
    ]),
  );
}
