export interface JsonObject {
  readonly [name: string]: unknown;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Maximum depth at which formats are recognised. Deeper values stay JSON. */
export const MAX_DEPTH = 8;

/** Parses text that is a JSON object or list; undefined for anything else. */
export function parseJson(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

const isBare = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** Reads members of an object and tracks them, so that `rest` returns exactly the others. */
export class Members {
  readonly #object: JsonObject;
  readonly #taken = new Set<string>();

  constructor(object: JsonObject) {
    this.#object = object;
  }

  /** The first of these members that is text. */
  text(...names: readonly string[]): string | null {
    return this.#first(names, (value) => typeof value === 'string') as string | null;
  }

  /** The first of these members that has a value. */
  value(...names: readonly string[]): unknown {
    return this.#first(names, (value) => value !== null && value !== undefined);
  }

  /** The first of these members that is an object. */
  object(...names: readonly string[]): JsonObject | null {
    return this.#first(names, isObject) as JsonObject | null;
  }

  /** The first of these members that is a list. */
  list(...names: readonly string[]): readonly unknown[] {
    return (this.#first(names, Array.isArray) as readonly unknown[] | null) ?? [];
  }

  /** Whether one of these members is true. */
  flag(...names: readonly string[]): boolean {
    return this.#first(names, (value) => typeof value === 'boolean') === true;
  }

  /** All members that were not read and have content. */
  rest(): JsonObject | null {
    const entries = Object.entries(this.#object).filter(
      ([name, value]) => !this.#taken.has(name) && !isBare(value),
    );
    return entries.length > 0 ? Object.fromEntries(entries) : null;
  }

  #first(names: readonly string[], is: (value: unknown) => boolean): unknown {
    const name = names.find(
      (name) =>
        Object.hasOwn(this.#object, name) && !this.#taken.has(name) && is(this.#object[name]),
    );
    if (name === undefined) return null;
    this.#taken.add(name);
    return this.#object[name];
  }
}

/** Adds the rest of `inner` to the rest of the object that contains it. */
export function keptWithin(
  outer: JsonObject | null,
  name: string,
  inner: JsonObject | null,
): JsonObject | null {
  if (inner === null) return outer;
  return { ...outer, [name]: inner };
}
