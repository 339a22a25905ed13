import type { Insertable, Selectable } from 'kysely';
import type { Tables } from './tables.ts';

export type Rows<T extends keyof Tables> = readonly Insertable<Tables[T]>[];
export type Column<T extends keyof Tables> = keyof Tables[T] & string;

/** Upsert rules of a table, which say how rows with the same key are merged. */
export interface Merging<T extends keyof Tables> {
  key: readonly Column<T>[];
  /** Columns that are summed. */
  add: readonly Column<T>[];
  /** Columns of which the smallest or largest number is kept. Null never replaces a number. */
  min?: readonly Column<T>[];
  max?: readonly Column<T>[];
  /** Columns of which the first text in UTF-8 byte order is kept, independent of the collation. */
  first?: readonly Column<T>[];
  /** Columns that are taken from the later row. */
  set?: readonly Column<T>[];
  /**
   * Indexed columns that seldom change. SQLite rewrites index entries whenever a statement sets
   * their columns, even to the same value.
   */
  settled?: readonly Column<T>[];
}

/** Rows to upsert into one table. */
export interface Merge<T extends keyof Tables> {
  table: T;
  merging: Merging<T>;
  rows: Rows<T>;
}
export type AnyMerge = { [T in keyof Tables]: Merge<T> }[keyof Tables];

/**
 * SQL's lock strengths for rows: `key share` prevents deletion, `no key update` also prevents
 * changes, `update` also prevents new rows that reference the row.
 */
export type RowLock = 'key share' | 'no key update' | 'update';

/** The rows of a tenant to find. */
export interface Find<T extends keyof Tables> {
  tenantId: string;
  by: Column<T>;
  values: readonly (string | number)[];
  lock?: RowLock | undefined;
}

/**
 * Bulk statements of one transaction, for the hot path. Outside of a transaction they would join
 * whichever one is open on SQLite's single connection. All rows have the columns of the first.
 */
export interface Bulk {
  insert<T extends keyof Tables>(table: T, rows: Rows<T>): Promise<void>;
  /** Inserts into a table with auto-increment ids; returns the ids in the order of the rows. */
  insertCounted<T extends keyof Tables>(table: T, rows: Rows<T>): Promise<number[]>;
  /**
   * Inserts rows whose key does not exist yet; of rows with the same key, it inserts the first.
   * Returns for each row whether it was inserted.
   */
  insertNew<T extends keyof Tables>(
    table: T,
    key: readonly Column<T>[],
    rows: Rows<T>,
  ): Promise<boolean[]>;
  /** Upserts rows. Keys must differ between rows. */
  merge<T extends keyof Tables>(table: T, merging: Merging<T>, rows: Rows<T>): Promise<void>;
  /** Upserts rows of several tables in one statement. */
  mergeAll(merges: readonly AnyMerge[]): Promise<void>;
  /** Adds to columns of existing rows; rows that do not exist are skipped. */
  add<T extends keyof Tables>(
    table: T,
    how: { key: readonly Column<T>[]; add: readonly Column<T>[] },
    rows: readonly Partial<Insertable<Tables[T]>>[],
  ): Promise<void>;
  /**
   * Selects the rows of a tenant whose `by` is one of these distinct values, and locks them until
   * the transaction ends, in the order of `by`. SQLite has a single writer and needs no locks.
   */
  find<T extends keyof Tables, C extends keyof Selectable<Tables[T]> & string>(
    table: T,
    columns: readonly C[],
    where: Find<T>,
  ): Promise<Pick<Selectable<Tables[T]>, C>[]>;
}

/**
 * The `on conflict` clause, valid for both databases; `bytewise` is the name of the database's
 * byte-order collation.
 */
export function mergeClause<T extends keyof Tables>(
  table: T,
  merging: Merging<T>,
  bytewise: string,
): string {
  const set = mergedColumns(table, merging, bytewise).map(([c, value]) => `"${c}" = ${value}`);
  return `on conflict (${quotedColumns(merging.key)}) do update set ${set.join(', ')}`;
}

/**
 * The `on conflict` clause that merges only rows whose settled columns stay unchanged; other rows
 * are skipped.
 */
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
  return `on conflict (${quotedColumns(merging.key)}) do update set ${set.join(', ')}
    where ${stays.join(' and ')}`;
}

/** The merged value of each column that is not part of the key. */
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

export const quotedColumns = (columns: readonly string[]): string =>
  columns.map((column) => `"${column}"`).join(', ');
