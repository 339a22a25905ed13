import type BetterSqlite3 from 'better-sqlite3';
import { sql } from 'kysely';
import { type Bulk, mergeClause, named, replaceClause } from './bulk.ts';

type Row = Readonly<Record<string, unknown>>;

/** Prepared statements, run one after another on the connection whose transaction is open. */
export function sqliteBulk(database: BetterSqlite3.Database): Bulk {
  const statements = new Map<string, BetterSqlite3.Statement>();
  const prepare = (text: string): BetterSqlite3.Statement => {
    let statement = statements.get(text);
    if (!statement) statements.set(text, (statement = database.prepare(text)));
    return statement;
  };
  const runAll = (rows: readonly Row[], end: (table: readonly string[]) => string) => {
    if (rows.length === 0) return [];
    const columns = Object.keys(rows[0] as Row);
    const statement = prepare(end(columns));
    return rows.map((row) => statement.run(columns.map((column) => row[column])));
  };
  const insert = (table: string, rows: readonly Row[], conflict = '') =>
    runAll(
      rows,
      (columns) =>
        `insert into "${table}" (${named(columns)})
         values (${columns.map(() => '?').join(', ')}) ${conflict}`,
    );
  return {
    insert: async (_trx, table, rows) => void insert(table, rows),
    insertCounted: async (_trx, table, rows) =>
      insert(table, rows).map(({ lastInsertRowid }) => Number(lastInsertRowid)),
    insertNew: async (_trx, table, key, rows) =>
      insert(table, rows, `on conflict (${named(key)}) do nothing`).map(
        ({ changes }) => changes > 0,
      ),
    merge: async (_trx, table, merging, rows) =>
      void insert(table, rows, mergeClause(table, merging, 'binary')),
    replace: async (_trx, table, key, rows) =>
      void insert(table, rows, replaceClause(key, Object.keys(rows[0] ?? {}))),
    async add(_trx, table, { key, add }, rows) {
      const set = add.map((column) => `"${column}" = "${column}" + ?`).join(', ');
      const where = key.map((column) => `"${column}" = ?`).join(' and ');
      const statement = prepare(`update "${table}" set ${set} where ${where}`);
      for (const row of rows as readonly Row[])
        statement.run([...add, ...key].map((column) => row[column]));
    },
    async find(_trx, table, columns, { tenantId, by, values }) {
      const statement = prepare(
        `select ${named(columns)} from "${table}" where "tenant_id" = ?
         and "${by}" in (select value from json_each(?))`,
      );
      return statement.all(tenantId, JSON.stringify(values)) as never[];
    },
    list: (values) => sql`(select value from json_each(${JSON.stringify(values)}))`,
  };
}
