import type { WireAttribute } from './protocol/wire.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Attributes = Readonly<Record<string, Json>>;

const DEEPEST = 32;

/** OTLP's key and value pairs as one object. Of a name that comes twice the last one counts. */
export const readAttributes = (pairs: readonly WireAttribute[] | null | undefined): Attributes =>
  Object.fromEntries(
    (pairs ?? []).map(({ key, value }) => [storable(key), readValue(value)] as const),
  );

/** OTLP's AnyValue as JSON; what is none, or is nested deeper than any use, is null. */
function readValue(value: unknown, depth = 0): Json {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return null;
  // An empty message inherits a default for every member, so only its own ones count.
  const [member, content] = Object.entries(value).find(([, inner]) => inner !== null) ?? [];
  const read = readers[member as keyof typeof readers];
  return read ? read(content, depth + 1) : null;
}

const readers: Record<string, (content: unknown, depth: number) => Json> = {
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
};

/** A 64-bit number stays exact: beyond what a double can hold it is text. */
function readInteger(value: unknown): Json {
  const number = Number(String(value));
  return Number.isSafeInteger(number) ? number : storable(String(value));
}

const valuesOf = (list: unknown): readonly unknown[] => {
  const { values } = (list ?? {}) as { values?: unknown };
  return Array.isArray(values) ? values.filter((inner) => typeof inner === 'object' && inner) : [];
};

/** Without what not every database can keep: NUL, and halves of surrogate pairs. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();
