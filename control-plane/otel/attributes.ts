export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Attributes = Readonly<Record<string, Json>>;

/** The maximum number of lists and objects around a value; deeper values become null. */
export const MAX_DEPTH = 32;

/** A key-value pair in OTLP's JSON and in protobufjs. */
export interface WireAttribute {
  key: string;
  value?: unknown;
}

/**
 * Attributes as decoded: pairs from JSON and protobufjs, an object from our own protobuf reader.
 */
export type WireAttributes = readonly WireAttribute[] | Attributes | null | undefined;

/** Converts OTLP's key-value pairs to one object. If a key is repeated, the last one counts. */
export function readAttributes(given: WireAttributes): Attributes {
  if (!isList(given)) return given ?? {};
  const attributes: Record<string, Json> = {};
  for (const { key, value } of given) setMember(attributes, storable(key), readValue(value));
  return attributes;
}

const isList = (given: WireAttributes): given is readonly WireAttribute[] => Array.isArray(given);

/** Sets a member even if it is named `__proto__`, where an assignment would set the prototype. */
export function setMember(object: Record<string, Json>, name: string, value: Json): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, writable: true });
  else object[name] = value;
}

/** Converts OTLP's AnyValue to JSON. Missing values, and values nested too deeply, become null. */
export function readValue(value: unknown, depth = 0): Json {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return null;
  // An empty protobuf message inherits a default for every member, so only its own members count.
  for (const member of Object.keys(value)) {
    const content = (value as Record<string, unknown>)[member];
    if (content !== null) return readers.get(member)?.(content, depth + 1) ?? null;
  }
  return null;
}

/** A map rather than an object, which would have inherited members. */
const readers = new Map<string, (content: unknown, depth: number) => Json>(
  Object.entries({
    stringValue: (text) => (typeof text === 'string' ? storable(text) : null),
    boolValue: (flag) => (typeof flag === 'boolean' ? flag : null),
    intValue: readInteger,
    doubleValue: (number) => (Number.isFinite(Number(number)) ? Number(number) : String(number)),
    bytesValue: (bytes) =>
      typeof bytes === 'string'
        ? storable(bytes)
        : Buffer.from(bytes as Uint8Array).toString('base64'),
    arrayValue: (list, depth) => valuesOf(list).map((inner) => readValue(inner, depth)),
    kvlistValue: (list, depth) =>
      Object.fromEntries(
        valuesOf(list).map((pair) => {
          const { key, value } = pair as Partial<WireAttribute>;
          return [storable(String(key)), readValue(value, depth)] as const;
        }),
      ),
  } satisfies Record<string, (content: unknown, depth: number) => Json>),
);

/** Reads a 64-bit integer exactly: beyond the safe integers it becomes text. */
function readInteger(value: unknown): Json {
  if (Number.isSafeInteger(value)) return value as number;
  const number = Number(String(value));
  return Number.isSafeInteger(number) ? number : storable(String(value));
}

const valuesOf = (list: unknown): readonly unknown[] => {
  const { values } = (list ?? {}) as { values?: unknown };
  return Array.isArray(values) ? values.filter((inner) => typeof inner === 'object' && inner) : [];
};

/** Removes characters that not every database can store: NUL and lone surrogates. */
export const storable = (text: string): string =>
  text.isWellFormed() && !text.includes('\0') ? text : text.replaceAll('\0', '').toWellFormed();
