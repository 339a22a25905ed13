import type BetterSqlite3 from 'better-sqlite3';
import { sql } from 'kysely';
import type { Tables } from './tables.ts';
import {
  type Bulk,
  type Merge,
  mergeClause,
  mergeUnsettledClause,
  type Merging,
  named,
} from './bulk.ts';

type Row = Readonly<Record<string, unknown>>;

/** What happens to rows of a table that are there already. */
interface Clauses {
  table: string;
  whole: string;
  /** Of rows whose settled columns stay as they are. */
  unsettled: string | undefined;
}

/** Long lists gain nothing by more, and short ones lose (docs/decisions/011). */
const ROWS_AT_ONCE = 4;
const FOUND_AT_ONCE = 8;

/** Powers of two: a few statements do for any number of rows. */
const atOnce = (left: number, most: number): number =>
  left >= most ? most : 2 ** Math.floor(Math.log2(left));
const rowsAtOnce = (left: number): number => atOnce(left, ROWS_AT_ONCE);
const one = (): number => 1;

/** Prepared statements, run one after another on the connection whose transaction is open. */
export function sqliteBulk(database: BetterSqlite3.Database): Bulk {
  const statements = new Map<string, BetterSqlite3.Statement>();
  const prepare = (text: string): BetterSqlite3.Statement => {
    let statement = statements.get(text);
    if (!statement) statements.set(text, (statement = database.prepare(text)));
    return statement;
  };
  /** By their text without the values, then by the number of their rows. */
  const insertions = new Map<string, Map<number, BetterSqlite3.Statement>>();
  const insertionsOf = (text: string): Map<number, BetterSqlite3.Statement> => {
    let known = insertions.get(text);
    if (!known) insertions.set(text, (known = new Map()));
    return known;
  };

  /** Answers for each statement what it did, and with how many rows. */
  function insert(table: string, rows: readonly Row[], conflict = '', sizeOf = rowsAtOnce) {
    const results: (BetterSqlite3.RunResult & { from: number; size: number })[] = [];
    if (rows.length === 0) return results;
    const columns = Object.keys(rows[0] as Row);
    const into = `insert into "${table}" (${named(columns)}) values`;
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
  /** Put together once: it costs as much as merging a row. */
  function clausesOf<T extends keyof Tables>(table: T, merging: Merging<T>): Clauses {
    const known = clauses.get(merging);
    if (known?.table === table) return known;
    const made = {
      table,
      whole: mergeClause(table, merging, 'binary'),
      unsettled: merging.settled && mergeUnsettledClause(table, merging, 'binary'),
    };
    clauses.set(merging, made);
    return made;
  }

  function merge<T extends keyof Tables>({ table, merging, rows }: Merge<T>): void {
    const { whole, unsettled } = clausesOf(table, merging);
    if (unsettled === undefined) return void insert(table, rows, whole);
    // Where it left any row alone, all of the statement's get the whole: the best stays the best,
    // but nothing may be added twice.
    const sizeOf = merging.add.length > 0 ? one : rowsAtOnce;
    for (const { changes, from, size } of insert(table, rows, unsettled, sizeOf))
      if (changes < size) insert(table, rows.slice(from, from + size), whole);
  }

  return {
    insert: async (_trx, table, rows) => void insert(table, rows),
    async insertCounted(_trx, table, rows) {
      // Within a transaction nobody else is given an id: they are counted up one by one.
      const after = Number(insert(table, rows).at(-1)?.lastInsertRowid) + 1;
      return rows.map((_, i) => after - rows.length + i);
    },
    insertNew: async (_trx, table, key, rows) =>
      insert(table, rows, `on conflict (${named(key)}) do nothing`, one).map(
        ({ changes }) => changes > 0,
      ),
    merge: async (_trx, table, merging, rows) => merge({ table, merging, rows }),
    async mergeAll(_trx, merges) {
      for (const one of merges as readonly Merge<keyof Tables>[]) merge(one);
    },
    async add(_trx, table, { key, add }, rows) {
      const set = add.map((column) => `"${column}" = "${column}" + ?`).join(', ');
      const where = key.map((column) => `"${column}" = ?`).join(' and ');
      const statement = prepare(`update "${table}" set ${set} where ${where}`);
      for (const row of rows as readonly Row[])
        statement.run([...add, ...key].map((column) => row[column]));
    },
    async find(_trx, table, columns, { tenantId, by, values }) {
      // A list would have to be unpacked first, which takes longer than to find a few.
      const found: unknown[] = [];
      for (let from = 0, size; from < values.length; from += size) {
        size = atOnce(values.length - from, FOUND_AT_ONCE);
        const statement = prepare(
          `select ${named(columns)} from "${table}"
           where "tenant_id" = ? and "${by}" in (${Array.from({ length: size }, () => '?').join()})`,
        );
        found.push(...statement.all(tenantId, ...values.slice(from, from + size)));
      }
      return found as never[];
    },
    list: (values) => sql`(select value from json_each(${JSON.stringify(values)}))`,
  };
}
