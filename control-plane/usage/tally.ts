import type { Merging } from '../storage/bulk.ts';
import { sortByKey } from '../storage/sort-by-key.ts';
import { type RollupRow, rollups, type RollupTable } from './rollups.ts';

type Row = Record<string, string | number | null>;

/** What a transaction adds to the totals, one row for each key, gathered before it is written. */
export interface Tally {
  /** What is added is the tally's from then on. */
  add<T extends RollupTable>(table: T, row: RollupRow<T>): void;
  /** In an order that is the same in every process. */
  rows<T extends RollupTable>(table: T): RollupRow<T>[];
}

/** The way to a row: one map for each column of its key. A text put together of all costs more. */
type TallyKey = Map<unknown, TallyKey | Row>;

interface Tallied {
  places: TallyKey;
  rows: Row[];
}

export function newTally(): Tally {
  const tables = new Map<RollupTable, Tallied>();
  return {
    add(table, added) {
      let tallied = tables.get(table);
      if (!tallied) tables.set(table, (tallied = { places: new Map(), rows: [] }));
      addTo(tallied, added as unknown as Row, rollups[table] as Merging<RollupTable>);
    },
    rows<T extends RollupTable>(table: T) {
      const { key } = rollups[table] as Merging<RollupTable>;
      const keyed = (tables.get(table)?.rows ?? []).map(
        (row) => [key.map((column) => row[column]).join('\0'), row] as const,
      );
      return sortByKey(keyed) as unknown as RollupRow<T>[];
    },
  };
}

function addTo({ places, rows }: Tallied, row: Row, merging: Merging<RollupTable>): void {
  const { key } = merging;
  const last = key.length - 1;
  let place = places;
  for (let i = 0; i < last; i += 1) {
    const value = row[key[i] as string];
    let next = place.get(value) as TallyKey | undefined;
    if (!next) place.set(value, (next = new Map()));
    place = next;
  }
  const value = row[key[last] as string];
  const known = place.get(value) as Row | undefined;
  if (known) return mergeInto(known, row, merging);
  place.set(value, row);
  rows.push(row);
}

function mergeInto(known: Row, row: Row, { add, min = [], max = [] }: Merging<RollupTable>): void {
  for (const column of add) known[column] = (known[column] as number) + (row[column] as number);
  for (const column of min) known[column] = better(known[column], row[column], Math.min);
  for (const column of max) known[column] = better(known[column], row[column], Math.max);
}

type Value = string | number | null | undefined;

function better(a: Value, b: Value, choose: (a: number, b: number) => number): number | null {
  if (typeof a !== 'number') return (b ?? null) as number | null;
  return typeof b === 'number' ? choose(a, b) : a;
}
