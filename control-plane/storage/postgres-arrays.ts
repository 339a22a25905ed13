/** How PostgreSQL reads the values of one type (`textrecv`, `int8recv` and so on). */
interface ElementType {
  oid: number;
  sizeOf(value: unknown): number;
  /** Answers where it ends. */
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
      const given = whole(value);
      to.writeInt32BE(Math.floor(given / 2 ** 32), at);
      return to.writeUInt32BE(given >>> 0, at + 4);
    },
  },
  float8: {
    oid: 701,
    sizeOf: () => 8,
    write: (to, value, at) => to.writeDoubleBE(number(value), at),
  },
} satisfies Record<string, ElementType>;

/** Sums may lie beyond what a double tells apart; all that a bigint holds is sent as it is. */
function whole(value: unknown): number {
  if (Number.isInteger(value) && Math.abs(value as number) < 2 ** 63) return value as number;
  throw new TypeError(`a column of whole numbers cannot hold this ${typeof value}`);
}
function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`a column of texts cannot hold this ${typeof value}`);
}
function number(value: unknown): number {
  // One that is not finite would stay in every sum that it is added to.
  if (Number.isFinite(value)) return value as number;
  throw new TypeError(`a column of numbers cannot hold this ${typeof value}`);
}

export type ArrayType = keyof typeof types;
export const isArrayType = (name: string): name is ArrayType => Object.hasOwn(types, name);

export interface ArrayColumn {
  name: string;
  type: ArrayType;
}
export type Row = Readonly<Record<string, unknown>>;

const HEADER = 20;
const LENGTH = 4;
const NULL = -1;

/**
 * Rows as one array for each column, the way PostgreSQL's `array_recv` reads them: five numbers, then
 * the length and the bytes of each value. Nobody has to write numbers as text, or to look for what
 * must be escaped. All arrays are pieces of one buffer.
 *
 * @throws TypeError for what the type of a column cannot hold
 */
export function arraysOf(columns: readonly ArrayColumn[], rows: readonly Row[]): Buffer[] {
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

function sizeOf({ name, type }: ArrayColumn, rows: readonly Row[]): number {
  const element: ElementType = types[type];
  let size = HEADER + rows.length * LENGTH;
  for (const row of rows) size += isNull(row[name]) ? 0 : element.sizeOf(row[name]);
  return size;
}

function write(
  to: Buffer,
  { name, type }: ArrayColumn,
  rows: readonly Row[],
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
  // One dimension, whether there are nulls, of what, how many, counted from one.
  [1, hasNull, element.oid, rows.length, 1].forEach((one, i) => to.writeInt32BE(one, from + 4 * i));
  return at;
}

const isNull = (value: unknown): boolean => value === null || value === undefined;
