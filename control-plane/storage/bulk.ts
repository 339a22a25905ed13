import type { Expression, Insertable, Selectable, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

export type Rows<T extends keyof Tables> = readonly Insertable<Tables[T]>[];
type Column<T extends keyof Tables> = keyof Tables[T] & string;

/** How rows of a table are brought together: rows with the same key become one. */
export interface Merging<T extends keyof Tables> {
  key: readonly Column<T>[];
  /** Sums. */
  add: readonly Column<T>[];
  /** Of numbers. What is not null is better than null. */
  min?: readonly Column<T>[];
  max?: readonly Column<T>[];
  /** Of texts: the one whose UTF-8 comes first, whatever the collation. */
  first?: readonly Column<T>[];
  /** The later row's. */
  set?: readonly Column<T>[];
  /**
   * Those that are indexed and seldom change. SQLite writes the entries of an index anew whenever a
   * statement sets its columns, be it to what they are.
   */
  settled?: readonly Column<T>[];
}

/** Rows to be brought together with those of one table. */
export interface Merge<T extends keyof Tables> {
  table: T;
  merging: Merging<T>;
  rows: Rows<T>;
}
export type AnyMerge = { [T in keyof Tables]: Merge<T> }[keyof Tables];

export type Lock = 'keep' | 'change' | 'delete';

/**
 * Many rows in one go: the hot path. It works within a transaction, because on SQLite's one
 * connection it would otherwise join whichever transaction is open. All rows have the columns of
 * the first.
 */
export interface Bulk {
  insert<T extends keyof Tables>(trx: Transaction<Tables>, table: T, rows: Rows<T>): Promise<void>;
  /** For tables whose ids the database counts up: answers them in the order of the rows. */
  insertCounted<T extends keyof Tables>(
    trx: Transaction<Tables>,
    table: T,
    rows: Rows<T>,
  ): Promise<number[]>;
  /**
   * Adds rows whose key is not there yet, of rows with the same key the first; answers for each row
   * whether it was added.
   */
  insertNew<T extends keyof Tables>(
    trx: Transaction<Tables>,
    table: T,
    key: readonly Column<T>[],
    rows: Rows<T>,
  ): Promise<boolean[]>;
  /** Adds rows, or brings them together with those of the same key. Keys differ among the rows. */
  merge<T extends keyof Tables>(
    trx: Transaction<Tables>,
    table: T,
    merging: Merging<T>,
    rows: Rows<T>,
  ): Promise<void>;
  /** The same for several tables in one go. */
  mergeAll(trx: Transaction<Tables>, merges: readonly AnyMerge[]): Promise<void>;
  /** Adds to columns of rows that are there; what is not there is left out. */
  add<T extends keyof Tables>(
    trx: Transaction<Tables>,
    table: T,
    how: { key: readonly Column<T>[]; add: readonly Column<T>[] },
    rows: readonly Partial<Insertable<Tables[T]>>[],
  ): Promise<void>;
  /**
   * The rows of a tenant whose `by` is one of these values, which differ. Until the transaction ends
   * nobody deletes them (`keep`), nobody else changes them (`change`), or nobody else adds to them
   * either (`delete`). They are locked in the order of `by`; on SQLite nobody could anyway.
   */
  find<T extends keyof Tables, C extends keyof Selectable<Tables[T]> & string>(
    trx: Transaction<Tables>,
    table: T,
    columns: readonly C[],
    where: {
      tenantId: string;
      by: Column<T>;
      values: readonly (string | number)[];
      lock?: Lock | undefined;
    },
  ): Promise<Pick<Selectable<Tables[T]>, C>[]>;
  /** Any number of values, for `where('id', 'in', …)`, in a statement that is always the same. */
  list<V extends string | number>(values: readonly V[]): Expression<V>;
}

/**
 * What happens to a row that is there already. Both databases understand it; `bytewise` is what
 * each calls the collation that compares bytes.
 */
export function mergeClause<T extends keyof Tables>(
  table: T,
  merging: Merging<T>,
  bytewise: string,
): string {
  const set = mergedColumns(table, merging, bytewise).map(([c, value]) => `"${c}" = ${value}`);
  return `on conflict (${named(merging.key)}) do update set ${set.join(', ')}`;
}

/** The same for rows whose settled columns stay as they are; others it leaves alone altogether. */
export function mergeUnsettledClause<T extends keyof Tables>(
  table: T,
  merging: Merging<T>,
  bytewise: string,
): string {
  const settled = new Set<string>(merging.settled);
  const columns = mergedColumns(table, merging, bytewise);
  const set = columns.filter(([c]) => !settled.has(c)).map(([c, value]) => `"${c}" = ${value}`);
  const stays = columns
    .filter(([c]) => settled.has(c))
    .map(([c, value]) => `"${table}"."${c}" is not distinct from ${value}`);
  return `on conflict (${named(merging.key)}) do update set ${set.join(', ')}
    where ${stays.join(' and ')}`;
}

/** Of each column but the key's, what it becomes. */
function mergedColumns<T extends keyof Tables>(
  table: T,
  { add, min = [], max = [], first = [], set = [] }: Merging<T>,
  bytewise: string,
): (readonly [string, string])[] {
  const better = (column: string, sign: '<' | '>', collation = '') =>
    [
      column,
      `case when "${table}"."${column}" is null
         or excluded."${column}" ${sign} "${table}"."${column}" ${collation}
         then excluded."${column}" else "${table}"."${column}" end`,
    ] as const;
  return [
    ...add.map((c) => [c, `"${table}"."${c}" + excluded."${c}"`] as const),
    ...min.map((column) => better(column, '<')),
    ...max.map((column) => better(column, '>')),
    ...first.map((column) => better(column, '<', `collate ${bytewise}`)),
    ...set.map((column) => [column, `excluded."${column}"`] as const),
  ];
}

export const named = (columns: readonly string[]): string =>
  columns.map((column) => `"${column}"`).join(', ');
