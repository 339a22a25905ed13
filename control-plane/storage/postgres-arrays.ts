/** The binary input format of one type in PostgreSQL (`textrecv`, `int8recv` and so on). */
interface ElementType {
  oid: number;
  sizeOf(value: unknown): number;
  /** Writes the value at this offset and returns the end offset. */
  write(to: Buffer, value: unknown, at: number): number;
}

const types = {
  text: {
    oid: 25,
    sizeOf: (value) => Buffer.byteLength(text(value)),
    write: (to, value, at) => at + to.write(text(value), at),
  },
  int4: {
    oid: 23,
    sizeOf: () => 4,
    write: (to, value, at) => to.writeInt32BE(whole(value), at),
  },
  int8: {
    oid: 20,
    sizeOf: () => 8,
    write(to, value, at) {
      const number = whole(value);
      to.writeInt32BE(Math.floor(number / 2 ** 32), at);
      return to.writeUInt32BE(number >>> 0, at + 4);
    },
  },
  float8: {
    oid: 701,
    sizeOf: () => 8,
    write: (to, value, at) => to.writeDoubleBE(number(value), at),
  },
} satisfies Record<string, ElementType>;

/** Checks an integer. Sums may exceed the exact range of a double, and a bigint is sent exactly. */
function whole(value: unknown): number {
  if (Number.isInteger(value) && Math.abs(value as number) < 2 ** 63) return value as number;
  throw new TypeError(`an integer column cannot hold this ${typeof value}`);
}
function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`a text column cannot hold this ${typeof value}`);
}
function number(value: unknown): number {
  // A non-finite value would persist in every sum that it is added to.
  if (Number.isFinite(value)) return value as number;
  throw new TypeError(`a numeric column cannot hold this ${typeof value}`);
}

export type ArrayType = keyof typeof types;
export const isArrayType = (name: string): name is ArrayType => Object.hasOwn(types, name);

export interface ArrayColumn {
  name: string;
  type: ArrayType;
}
export type UntypedRow = Readonly<Record<string, unknown>>;

const HEADER = 20;
const LENGTH = 4;
const NULL = -1;

/**
 * Encodes rows as one array per column, in the binary format of PostgreSQL's `array_recv`: five
 * integers, then the length and the bytes of each value. This avoids formatting numbers as text and
 * escaping. All arrays are slices of one buffer.
 *
 * @throws TypeError for a value that the column's type cannot hold
 */
export function arraysOf(columns: readonly ArrayColumn[], rows: readonly UntypedRow[]): Buffer[] {
  let size = 0;
  for (const column of columns) size += sizeOf(column, rows);
  const all = Buffer.allocUnsafe(size);
  let from = 0;
  return columns.map((column) => {
    const end = write(all, column, rows, from);
    const array = all.subarray(from, end);
    from = end;
    return array;
  });
}

function sizeOf({ name, type }: ArrayColumn, rows: readonly UntypedRow[]): number {
  const element: ElementType = types[type];
  let size = HEADER + rows.length * LENGTH;
  for (const row of rows) size += isNull(row[name]) ? 0 : element.sizeOf(row[name]);
  return size;
}

function write(
  to: Buffer,
  { name, type }: ArrayColumn,
  rows: readonly UntypedRow[],
  from: number,
): number {
  const element: ElementType = types[type];
  let hasNull = 0;
  let at = from + HEADER;
  for (const row of rows) {
    const value = row[name];
    const begin = at + LENGTH;
    const end = isNull(value) ? begin : element.write(to, value, begin);
    to.writeInt32BE(isNull(value) ? NULL : end - begin, at);
    if (isNull(value)) hasNull = 1;
    at = end;
  }
  // The header: dimensions, has-nulls flag, element type, length, lower bound.
  [1, hasNull, element.oid, rows.length, 1].forEach((field, i) =>
    to.writeInt32BE(field, from + 4 * i),
  );
  return at;
}

const isNull = (value: unknown): boolean => value === null || value === undefined;
