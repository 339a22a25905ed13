import { readJson } from './read-json.ts';

/** Paths of keys; `*` matches every member of an object or list. */
export type Keys = readonly (readonly string[])[];

interface Cursor {
  bytes: Buffer;
  at: number;
  /** The remaining budget in bytes. */
  remainingBytes: number;
}

class Unreadable extends Error {}

const [quote, backslash, slash, star, newline] = [0x22, 0x5c, 0x2f, 0x2a, 0x0a];
const [comma, colon] = [0x2c, 0x3a];
const [openObject, closeObject, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d];

/** The minimum memory cost of a value, however short it is. */
const MIN_COST = 64;

const isBlank = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;

const fail = (): never => {
  throw new Unreadable('is not valid JSON');
};

function skipComment(cursor: Cursor): void {
  const { bytes, at } = cursor;
  const isLine = bytes[at + 1] === slash;
  if (!isLine && bytes[at + 1] !== star) fail();
  const end = isLine ? bytes.indexOf(newline, at) : bytes.indexOf('*/', at + 2);
  if (end < 0 && !isLine) fail();
  cursor.at = end < 0 ? bytes.length : end + (isLine ? 1 : 2);
}

function skipBlanks(cursor: Cursor): void {
  const { bytes } = cursor;
  for (;;) {
    while (isBlank(bytes[cursor.at])) cursor.at += 1;
    if (bytes[cursor.at] !== slash) return;
    skipComment(cursor);
  }
}

function skipString(cursor: Cursor): void {
  const { bytes } = cursor;
  for (let end = bytes.indexOf(quote, cursor.at + 1); ; end = bytes.indexOf(quote, end + 1)) {
    if (end < 0) fail();
    let first = end;
    while (bytes[first - 1] === backslash) first -= 1;
    cursor.at = end + 1;
    if ((end - first) % 2 === 0) return;
  }
}

const endsScalar = (byte: number | undefined): boolean =>
  byte === undefined ||
  byte === comma ||
  byte === closeObject ||
  byte === closeList ||
  byte === slash ||
  isBlank(byte);

function skipContainer(cursor: Cursor): void {
  const { bytes } = cursor;
  let depth = 0;
  do {
    const byte = bytes[cursor.at];
    if (byte === undefined) fail();
    else if (byte === quote) skipString(cursor);
    else if (byte === slash) skipComment(cursor);
    else {
      if (byte === openObject || byte === openList) depth += 1;
      if (byte === closeObject || byte === closeList) depth -= 1;
      cursor.at += 1;
    }
  } while (depth > 0);
}

function skipValue(cursor: Cursor): void {
  const first = cursor.bytes[cursor.at];
  if (first === quote) return skipString(cursor);
  if (first === openObject || first === openList) return skipContainer(cursor);
  if (endsScalar(first)) fail();
  while (!endsScalar(cursor.bytes[cursor.at])) cursor.at += 1;
}

function spend(cursor: Cursor, bytes: number): void {
  cursor.remainingBytes -= bytes;
  if (cursor.remainingBytes < 0) throw new Unreadable('declares too much, not read');
}

function parseSkipped(cursor: Cursor, skip: (cursor: Cursor) => void): unknown {
  const from = cursor.at;
  skip(cursor);
  spend(cursor, MIN_COST + cursor.at - from);
  const read = readJson(cursor.bytes.toString('utf8', from, cursor.at));
  return 'document' in read ? read.document : fail();
}

const below = (keys: Keys, name: string): Keys =>
  keys.filter(([first]) => first === name || first === '*').map(([, ...rest]) => rest);

/** A member's name; an overlong one matches no key. */
function memberName(cursor: Cursor): string {
  if (cursor.bytes[cursor.at] !== quote) fail();
  const from = cursor.at;
  skipString(cursor);
  const name =
    cursor.at - from > 4096
      ? ''
      : (JSON.parse(cursor.bytes.toString('utf8', from, cursor.at)) as string);
  skipBlanks(cursor);
  if (cursor.bytes[cursor.at] !== colon) fail();
  cursor.at += 1;
  skipBlanks(cursor);
  return name;
}

function passComma(cursor: Cursor, close: number): void {
  skipBlanks(cursor);
  if (cursor.bytes[cursor.at] === comma) cursor.at += 1;
  else if (cursor.bytes[cursor.at] !== close) fail();
}

/** The values of an object at the keys; undefined if there are none. */
function members(cursor: Cursor, keys: Keys): Record<string, unknown> | undefined {
  const found: [string, unknown][] = [];
  cursor.at += 1;
  for (;;) {
    skipBlanks(cursor);
    if (cursor.bytes[cursor.at] === closeObject) break;
    const name = memberName(cursor);
    const value = valueAt(cursor, below(keys, name));
    if (value !== undefined) {
      spend(cursor, name.length);
      found.push([name, value]);
    }
    passComma(cursor, closeObject);
  }
  cursor.at += 1;
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** The values of a list's items at the keys; undefined if there are none. */
function items(cursor: Cursor, keys: Keys): unknown[] | undefined {
  const found: unknown[] = [];
  cursor.at += 1;
  for (;;) {
    skipBlanks(cursor);
    if (cursor.bytes[cursor.at] === closeList) break;
    const value = valueAt(cursor, keys);
    if (value !== undefined) found.push(value);
    passComma(cursor, closeList);
  }
  cursor.at += 1;
  return found.length === 0 ? undefined : found;
}

function valueAt(cursor: Cursor, keys: Keys): unknown {
  if (keys.some((path) => path.length === 0)) return parseSkipped(cursor, skipValue);
  if (keys.length > 0 && cursor.bytes[cursor.at] === openObject) return members(cursor, keys);
  const ofItems = keys.filter(([first]) => first === '*').map(([, ...rest]) => rest);
  if (ofItems.length > 0 && cursor.bytes[cursor.at] === openList) return items(cursor, ofItems);
  skipValue(cursor);
  return undefined;
}

/**
 * The values at these keys of a JSON document of any length; `*` matches every member
 * of an object or list, and items without a value are left out. In all other values only brackets are tracked, so memory is limited to `most` bytes of selected values.
 */
export function skimJson(
  bytes: Buffer,
  keys: Keys,
  maxBytes: number,
): { document: unknown } | { error: string } {
  const isMarked = bytes.subarray(0, 3).equals(Buffer.from('\uFEFF'));
  const cursor = { bytes, at: isMarked ? 3 : 0, remainingBytes: maxBytes };
  try {
    skipBlanks(cursor);
    if (cursor.at === bytes.length) return { document: undefined };
    const document = valueAt(cursor, keys);
    skipBlanks(cursor);
    return cursor.at === bytes.length ? { document } : fail();
  } catch (error) {
    return { error: error instanceof Unreadable ? error.message : 'is not valid JSON' };
  }
}
