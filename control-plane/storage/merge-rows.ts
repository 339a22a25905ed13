import type { Merging, Rows } from './bulk.ts';
import type { Tables } from './tables.ts';

type Value = string | number | null | undefined;
type Row = Record<string, Value>;
type IsBetter = (value: Value, than: Value) => boolean;

/**
 * Merges rows with the same key in the way the database merges a row into an existing one. Returns
 * them in the order of their keys: writing rows in a consistent order prevents deadlocks.
 */
export function mergeRows<T extends keyof Tables>(merging: Merging<T>, rows: Rows<T>): Rows<T> {
  const merged = new Map<string, Row>();
  for (const row of rows as readonly Row[]) {
    let key = '';
    for (const column of merging.key) key += `${row[column]}\0`;
    const existing = merged.get(key);
    merged.set(key, existing ? mergePair(merging, existing, row) : row);
  }
  const sorted = [...merged].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([, row]) => row) as unknown as Rows<T>;
}

function mergePair(merging: Merging<never>, existing: Row, row: Row): Row {
  const { add, min = [], max = [], first = [], set = [] } = merging;
  const merged = { ...existing };
  const pick = (columns: readonly string[], isBetter: IsBetter): void => {
    for (const c of columns) merged[c] = better(existing[c], row[c], isBetter);
  };
  for (const c of add) merged[c] = Number(existing[c]) + Number(row[c]);
  pick(min, (value, than) => Number(value) < Number(than));
  pick(max, (value, than) => Number(value) > Number(than));
  pick(first, (value, than) => compareBytes(String(value), String(than)) < 0);
  for (const c of set) merged[c] = row[c];
  return merged;
}

const better = (existing: Value, value: Value, isBetter: IsBetter): Value => {
  if (existing === null || existing === undefined) return value;
  return value !== null && value !== undefined && isBetter(value, existing) ? value : existing;
};

// The operators compare strings by UTF-16 code units, which differs from byte order beyond the
// basic multilingual plane.
const compareBytes = (a: string, b: string): number =>
  a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
