import type { Merging, Rows } from './bulk.ts';
import type { Tables } from './tables.ts';

type Value = string | number | null | undefined;
type Row = Record<string, Value>;
type IsBetter = (value: Value, than: Value) => boolean;

/**
 * Makes one row of those with the same key, as the database does with one that it has. Answers
 * them in the order of their keys: whoever writes rows in one order waits for nobody in a circle.
 */
export function mergeRows<T extends keyof Tables>(merging: Merging<T>, rows: Rows<T>): Rows<T> {
  const merged = new Map<string, Row>();
  for (const row of rows as readonly Row[]) {
    let key = '';
    for (const column of merging.key) key += `${row[column]}\0`;
    const known = merged.get(key);
    merged.set(key, known ? together(merging, known, row) : row);
  }
  const sorted = [...merged].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([, row]) => row) as unknown as Rows<T>;
}

function together(merging: Merging<never>, known: Row, row: Row): Row {
  const { add, min = [], max = [], first = [], set = [] } = merging;
  const merged = { ...known };
  const take = (columns: readonly string[], isBetter: IsBetter): void => {
    for (const c of columns) merged[c] = better(known[c], row[c], isBetter);
  };
  for (const c of add) merged[c] = Number(known[c]) + Number(row[c]);
  take(min, (value, than) => Number(value) < Number(than));
  take(max, (value, than) => Number(value) > Number(than));
  take(first, (value, than) => compareBytes(String(value), String(than)) < 0);
  for (const c of set) merged[c] = row[c];
  return merged;
}

const better = (known: Value, value: Value, isBetter: IsBetter): Value => {
  if (known === null || known === undefined) return value;
  return value !== null && value !== undefined && isBetter(value, known) ? value : known;
};

// Strings compare by UTF-16 units, which is another order beyond the basic plane.
const compareBytes = (a: string, b: string): number =>
  a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
