import type { Merging } from '../storage/bulk.ts';
import { inOrder } from '../storage/in-order.ts';
import { type RollupRow, rollups, type RollupTable } from './rollups.ts';

type Row = Record<string, string | number | null>;

/** What a transaction adds to the totals, one row for each key, gathered before it is written. */
export interface Tally {
  /** What is added is the tally's from then on. */
  add<T extends RollupTable>(table: T, row: RollupRow<T>): void;
  /** In an order that is the same in every process. */
  rows<T extends RollupTable>(table: T): RollupRow<T>[];
}

export function newTally(): Tally {
  const tables = new Map<RollupTable, Map<string, Row>>();
  return {
    add(table, added) {
      const row = added as unknown as Row;
      let rows = tables.get(table);
      if (!rows) tables.set(table, (rows = new Map<string, Row>()));
      const merging = rollups[table] as Merging<RollupTable>;
      let key = '';
      for (const column of merging.key) key += `${row[column]}\0`;
      const known = rows.get(key);
      if (known) mergeInto(known, row, merging);
      else rows.set(key, row);
    },
    rows: <T extends RollupTable>(table: T) =>
      inOrder(tables.get(table) ?? []) as unknown as RollupRow<T>[],
  };
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
