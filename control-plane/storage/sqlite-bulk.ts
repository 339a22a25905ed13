import type BetterSqlite3 from 'better-sqlite3';
import type { Tables } from './tables.ts';
import {
  type Bulk,
  type Merge,
  mergeClause,
  mergeUnsettledClause,
  type Merging,
  quotedColumns,
} from './bulk.ts';

type Row = Readonly<Record<string, unknown>>;

/** The conflict clauses for existing rows of a table. */
interface Clauses {
  table: string;
  whole: string;
  /** The clause for rows whose settled columns stay unchanged. */
  unsettled: string | undefined;
}

/**
 * The most rows of one statement. Larger statements do not speed up long lists, and slow down short
 * ones (docs/decisions/011).
 */
const ROWS_AT_ONCE = 4;
const FOUND_AT_ONCE = 8;

/** Returns a power of two, so that a few prepared statements cover any number of rows. */
const atOnce = (remaining: number, maximum: number): number =>
  remaining >= maximum ? maximum : 2 ** Math.floor(Math.log2(remaining));
const rowsAtOnce = (remaining: number): number => atOnce(remaining, ROWS_AT_ONCE);
const one = (): number => 1;

/** Runs prepared statements one after another. One instance serves every transaction. */
export function sqliteBulk(database: BetterSqlite3.Database): Bulk {
  const statements = new Map<string, BetterSqlite3.Statement>();
  const prepare = (text: string): BetterSqlite3.Statement => {
    let statement = statements.get(text);
    if (!statement) statements.set(text, (statement = database.prepare(text)));
    return statement;
  };
  /** Statements by their text without the values, then by number of rows. */
  const insertions = new Map<string, Map<number, BetterSqlite3.Statement>>();
  const insertionsOf = (text: string): Map<number, BetterSqlite3.Statement> => {
    let existing = insertions.get(text);
    if (!existing) insertions.set(text, (existing = new Map()));
    return existing;
  };

  /** Inserts rows; returns the result of each statement with its number of rows. */
  function insert(table: string, rows: readonly Row[], conflict = '', sizeOf = rowsAtOnce) {
    const results: (BetterSqlite3.RunResult & { from: number; size: number })[] = [];
    if (rows.length === 0) return results;
    const columns = Object.keys(rows[0] as Row);
    const into = `insert into "${table}" (${quotedColumns(columns)}) values`;
    const prepared = insertionsOf(`${into} ${conflict}`);
    for (let from = 0, size; from < rows.length; from += size) {
      size = sizeOf(rows.length - from);
      let statement = prepared.get(size);
      if (!statement) {
        const row = `(${columns.map(() => '?').join(', ')})`;
        const all = Array.from({ length: size }, () => row).join(', ');
        prepared.set(size, (statement = database.prepare(`${into} ${all} ${conflict}`)));
      }
      const values: unknown[] = [];
      for (let i = from; i < from + size; i += 1)
        for (const column of columns) values.push((rows[i] as Row)[column]);
      results.push({ ...statement.run(...values), from, size });
    }
    return results;
  }

  const clauses = new WeakMap<object, Clauses>();
  /** Returns the clauses from a cache, because building them costs as much as merging a row. */
  function clausesOf<T extends keyof Tables>(table: T, merging: Merging<T>): Clauses {
    const cached = clauses.get(merging);
    if (cached?.table === table) return cached;
    const built = {
      table,
      whole: mergeClause(table, merging, 'binary'),
      unsettled: merging.settled && mergeUnsettledClause(table, merging, 'binary'),
    };
    clauses.set(merging, built);
    return built;
  }

  function merge<T extends keyof Tables>({ table, merging, rows }: Merge<T>): void {
    const { whole, unsettled } = clausesOf(table, merging);
    if (unsettled === undefined) return void insert(table, rows, whole);
    // If a statement skips a row, all of its rows are merged again. That is idempotent except for
    // sums, which therefore take one row per statement.
    const sizeOf = merging.add.length > 0 ? one : rowsAtOnce;
    for (const { changes, from, size } of insert(table, rows, unsettled, sizeOf))
      if (changes < size) insert(table, rows.slice(from, from + size), whole);
  }

  return {
    insert: async (table, rows) => void insert(table, rows),
    async insertCounted(table, rows) {
      // No other writer is assigned ids within a transaction, so they are consecutive.
      const after = Number(insert(table, rows).at(-1)?.lastInsertRowid) + 1;
      return rows.map((_, i) => after - rows.length + i);
    },
    insertNew: async (table, key, rows) =>
      insert(table, rows, `on conflict (${quotedColumns(key)}) do nothing`, one).map(
        ({ changes }) => changes > 0,
      ),
    merge: async (table, merging, rows) => merge({ table, merging, rows }),
    async mergeAll(merges) {
      for (const item of merges as readonly Merge<keyof Tables>[]) merge(item);
    },
    async add(table, { key, add }, rows) {
      const set = add.map((column) => `"${column}" = "${column}" + ?`).join(', ');
      const condition = key.map((column) => `"${column}" = ?`).join(' and ');
      const statement = prepare(`update "${table}" set ${set} where ${condition}`);
      for (const row of rows as readonly Row[])
        statement.run([...add, ...key].map((column) => row[column]));
    },
    async find(table, columns, { tenantId, by, values }) {
      // A JSON list would first have to be unpacked, which takes longer than finding a few rows.
      const rows: unknown[] = [];
      for (let from = 0, size; from < values.length; from += size) {
        size = atOnce(values.length - from, FOUND_AT_ONCE);
        const statement = prepare(
          `select ${quotedColumns(columns)} from "${table}"
           where "tenant_id" = ? and "${by}" in (${Array.from({ length: size }, () => '?').join()})`,
        );
        rows.push(...statement.all(tenantId, ...values.slice(from, from + size)));
      }
      return rows as never[];
    },
  };
}
