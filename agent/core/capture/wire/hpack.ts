import type { Headers } from './exchange.ts';
import { hpackStaticTable } from './hpack-static-table.ts';
import { decodeHuffman } from './huffman.ts';
import { latin1 } from './latin1.ts';

/**
 * Decodes the header blocks of one direction (RFC 7541).
 *
 *
 * @throws Error for invalid blocks
 */
export interface HpackDecoder {
  decode: (block: Uint8Array) => Headers;
  /** The receiver of this direction has announced a maximum table size. */
  allowTableSize: (size: number) => void;
}

type Field = Headers[number];

const INITIAL_TABLE_SIZE = 4096;
const MAX_LIST_SIZE = 262_144;
/**
 * Browsers announce 64 KiB. A larger table lacks its oldest fields here. Indexes count from the
 * newest, so all others stay correct, and a missing one is detected.
 */
const MAX_TABLE_SIZE = 262_144;

export function createHpackDecoder(): HpackDecoder {
  const table = createDynamicTable();
  let allowedTableSize = INITIAL_TABLE_SIZE;

  function resize(size: number): void {
    if (size > allowedTableSize) throw new Error('a header table larger than allowed');
    table.resize(Math.min(size, MAX_TABLE_SIZE));
  }

  function fieldAt(index: number): Field {
    const field = hpackStaticTable[index - 1] ?? table.at(index - hpackStaticTable.length - 1);
    if (!field) throw new Error('an invalid header index');
    return field;
  }

  function readLiteral(cursor: Cursor, prefixBits: number): Field {
    const index = readInteger(cursor, prefixBits);
    const name = index === 0 ? readString(cursor).toLowerCase() : fieldAt(index)[0];
    return [name, readString(cursor)];
  }

  /** The first bits are the representation (RFC 7541, 6). */
  function readField(cursor: Cursor): Field {
    const first = cursor.bytes[cursor.at] ?? 0;
    if (first & 0x80) return fieldAt(readInteger(cursor, 7));
    if (!(first & 0x40)) return readLiteral(cursor, 4); // without indexing, or never indexed
    const field = readLiteral(cursor, 6);
    table.add(field);
    return field;
  }

  function decode(block: Uint8Array): Headers {
    const cursor: Cursor = { bytes: block, at: 0 };
    while (((block[cursor.at] ?? 0) & 0xe0) === 0x20) resize(readInteger(cursor, 5));
    const fields: Field[] = [];
    let listSize = 0;
    while (cursor.at < block.length) {
      const isResize = ((block[cursor.at] ?? 0) & 0xe0) === 0x20;
      if (isResize) throw new Error('a change of the header table within a block');
      const field = readField(cursor);
      listSize += sizeOf(field);
      if (listSize > MAX_LIST_SIZE) throw new Error(`more than ${MAX_LIST_SIZE} bytes of headers`);
      fields.push(field);
    }
    return fields;
  }

  return {
    decode,
    /**
     * Allows the largest size ever announced, even before its acknowledgement. An encoder signals
     * every size change in the header blocks themselves, so the limit only detects corrupt blocks;
     * when exactly it takes effect is up to the endpoints.
     */
    allowTableSize(size) {
      allowedTableSize = Math.max(allowedTableSize, size);
    },
  };
}

interface DynamicTable {
  /** 0 is the newest. */
  at: (index: number) => Field | undefined;
  add: (field: Field) => void;
  resize: (size: number) => void;
}

const emptyField: Field = ['', ''];

/**
 * The dynamic table (RFC 7541, 4): fields in order of insertion; the oldest are evicted when it is
 * full.
 */
function createDynamicTable(): DynamicTable {
  let fields: Field[] = [];
  let evicted = 0; // at the start of `fields`
  let size = 0;
  let most = INITIAL_TABLE_SIZE;

  function evict(): void {
    for (; size > most && evicted < fields.length; evicted++) {
      size -= sizeOf(fields[evicted] ?? emptyField);
      fields[evicted] = emptyField;
    }
    if (evicted > 32 && evicted * 2 > fields.length) {
      fields = fields.slice(evicted);
      evicted = 0;
    }
  }

  return {
    at: (index) =>
      index < fields.length - evicted ? fields[fields.length - 1 - index] : undefined,
    add(field) {
      fields.push(field);
      size += sizeOf(field);
      evict();
    },
    resize(to) {
      most = to;
      evict();
    },
  };
}

/** RFC 7541, 4.1. */
function sizeOf([name, value]: Field): number {
  return name.length + value.length + 32;
}

interface Cursor {
  bytes: Uint8Array;
  at: number;
}

/** RFC 7541, 5.1. Four bytes after the prefix exceed every valid number. */
function readInteger(cursor: Cursor, prefixBits: number): number {
  const maxPrefix = (1 << prefixBits) - 1;
  let value = readByte(cursor) & maxPrefix;
  if (value < maxPrefix) return value;
  for (let shift = 0; shift <= 21; shift += 7) {
    const byte = readByte(cursor);
    value += (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  throw new Error('a number in a header block that is too large');
}

function readString(cursor: Cursor): string {
  const isHuffman = ((cursor.bytes[cursor.at] ?? 0) & 0x80) !== 0;
  const length = readInteger(cursor, 7);
  const from = cursor.at;
  cursor.at += length;
  if (cursor.at > cursor.bytes.length) throw new Error('a truncated header block');
  const decode = isHuffman ? decodeHuffman : latin1;
  return decode(cursor.bytes, from, cursor.at);
}

function readByte(cursor: Cursor): number {
  const byte = cursor.bytes[cursor.at++];
  if (byte === undefined) throw new Error('a truncated header block');
  return byte;
}
