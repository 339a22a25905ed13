import type { Merging } from '../storage/bulk.ts';
import { sortByKey } from '../storage/row-order.ts';
import { type RollupRow, rollups, type RollupTable } from './rollups.ts';

type Row = Record<string, string | number | null>;

/**
 * The additions of a transaction to the totals, merged to one row per key before they are written.
 */
export interface Tally {
  /** Adds a row, which belongs to the tally from then on. */
  add<T extends RollupTable>(table: T, row: RollupRow<T>): void;
  /** Returns the rows in an order that is the same in every process. */
  rows<T extends RollupTable>(table: T): RollupRow<T>[];
}

/** Nested maps with one level per key column. Concatenating the key to a string would cost more. */
type TallyKey = Map<unknown, TallyKey | Row>;

interface Tallied {
  index: TallyKey;
  rows: Row[];
}

export function newTally(): Tally {
  const tables = new Map<RollupTable, Tallied>();
  return {
    add(table, added) {
      let tallied = tables.get(table);
      if (!tallied) tables.set(table, (tallied = { index: new Map(), rows: [] }));
      addTo(tallied, added as Row, rollups[table] as Merging<RollupTable>);
    },
    rows<T extends RollupTable>(table: T) {
      const { key } = rollups[table] as Merging<RollupTable>;
      const keyed = (tables.get(table)?.rows ?? []).map(
        (row) => [key.map((column) => row[column]).join('\0'), row] as const,
      );
      return sortByKey(keyed) as RollupRow<T>[];
    },
  };
}

function addTo({ index, rows }: Tallied, row: Row, merging: Merging<RollupTable>): void {
  const { key } = merging;
  const last = key.length - 1;
  let node = index;
  for (let i = 0; i < last; i += 1) {
    const value = row[key[i] as string];
    let next = node.get(value) as TallyKey | undefined;
    if (!next) node.set(value, (next = new Map()));
    node = next;
  }
  const value = row[key[last] as string];
  const existing = node.get(value) as Row | undefined;
  if (existing) return mergeInto(existing, row, merging);
  node.set(value, row);
  rows.push(row);
}

function mergeInto(
  existing: Row,
  row: Row,
  { add, min = [], max = [] }: Merging<RollupTable>,
): void {
  for (const column of add)
    existing[column] = (existing[column] as number) + (row[column] as number);
  for (const column of min) existing[column] = better(existing[column], row[column], Math.min);
  for (const column of max) existing[column] = better(existing[column], row[column], Math.max);
}

type Value = string | number | null | undefined;

function better(a: Value, b: Value, choose: (a: number, b: number) => number): number | null {
  if (typeof a !== 'number') return (b ?? null) as number | null;
  return typeof b === 'number' ? choose(a, b) : a;
}
