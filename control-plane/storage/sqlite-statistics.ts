import type BetterSqlite3 from 'better-sqlite3';

const ROWS = 10_000_000;
/** Columns with few distinct values, regardless of the number of rows. */
const LOW_CARDINALITY_COLUMNS = new Set([
  'agent_name',
  'status',
  'name',
  'source',
  'kind',
  'data_type',
  'model',
  'layer',
]);
const ROWS_PER_VALUE = 20;

/**
 * Makes the planner assume that tenants have many rows. Without statistics SQLite treats any
 * equality as selective, and scans a tenant's whole history where an index would lead to ten rows.
 * The values are fixed rather than collected, so that plans are the same everywhere and at any
 * time.
 */
export function analyzeTables(database: BetterSqlite3.Database): void {
  // This creates sqlite_stat1, which is empty in a new database.
  database.exec('analyze sqlite_schema');
  const indexes = database
    .prepare(
      `select m.name as "table", l.name as "index", l."unique" as is_unique,
         (select json_group_array(name) from pragma_index_info(l.name)) as columns
       from sqlite_schema m, pragma_index_list(m.name) l where m.type = 'table'`,
    )
    .all() as { table: string; index: string; is_unique: number; columns: string }[];
  const insert = database.prepare('insert into sqlite_stat1 (tbl, idx, stat) values (?, ?, ?)');
  database.transaction(() => {
    database.exec('delete from sqlite_stat1');
    for (const { table, index, is_unique, columns } of indexes) {
      const names = JSON.parse(columns) as string[];
      if (names[0] === 'tenant_id') insert.run(table, index, statOf(names, is_unique === 1));
    }
  })();
  database.exec('analyze sqlite_schema');
}

/**
 * Returns the statistics of an index: the number of rows, and how many share the first column, the
 * first two, and so on.
 */
function statOf(columns: readonly string[], isUnique: boolean): string {
  // A tenth makes an index by tenant worth using, while any other index is preferred.
  let rows = ROWS / 10;
  const shared = columns.map((column, i) => {
    if (i === columns.length - 1 && isUnique) rows = 1;
    else if (i > 0)
      rows = Math.max(
        1,
        Math.ceil(LOW_CARDINALITY_COLUMNS.has(column) ? rows / ROWS_PER_VALUE : rows / 1e6),
      );
    return rows;
  });
  return [ROWS, ...shared].join(' ');
}
