// Readers for untrusted JSON from providers, possibly redacted: a value of an unexpected type
// counts as missing.

export interface JsonObject {
  readonly [member: string]: unknown;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path of member names and list indexes; undefined if missing. */
export const field = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
        ? (inner as JsonObject)[name]
        : undefined,
    value,
  );

/** Whether the value is an object with at least one of these members. */
export const hasSome = (value: unknown, ...names: readonly string[]): boolean =>
  isObject(value) && names.some((name) => Object.hasOwn(value, name));

/** The text, or null if it is empty or not a string. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const countOf = (value: unknown): number | null =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER
    ? Math.round(value)
    : null;

/** The sum of the known numbers. */
export function sumOf(...numbers: readonly (number | null)[]): number | null {
  const known = numbers.filter((number) => number !== null);
  return known.length > 0 ? known.reduce((sum, number) => sum + number, 0) : null;
}

/** The texts joined, or null if all are empty. */
export const joinedOf = (texts: readonly (string | null)[], divider: string): string | null =>
  textOf(texts.filter((text) => text !== null).join(divider));

/** Sets an own property, also for `__proto__`. */
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
 * The value as JSON without log probabilities, which repeat the response token by token: redaction
 * cannot find a secret in such pieces.
 *
 * @param text the source of the value, returned unchanged if it has no log probabilities
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
