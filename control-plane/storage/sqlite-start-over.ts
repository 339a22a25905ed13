import BetterSqlite3 from 'better-sqlite3';

/**
 * Versions that migrated without a transaction, and were killed meanwhile, left a schema that
 * differs from the list of migrations: a statement of the next migration then fails because an
 * object already exists, or is missing.
 */
export const isHalfMigrated = (error: unknown): boolean =>
  error instanceof BetterSqlite3.SqliteError && error.code === 'SQLITE_ERROR';

/**
 * Drops all tables of a database without rows: its first start was killed. Returns false if it has
 * rows.
 */
export function startOver(database: BetterSqlite3.Database): boolean {
  const drop = database.transaction(() => {
    const tables = database
      .prepare(`select name from sqlite_schema where type = 'table' and name not glob 'sqlite_*'`)
      .pluck()
      .all() as string[];
    const isEmpty = (table: string): boolean =>
      database.prepare(`select 1 from "${table}" limit 1`).get() === undefined;
    if (!tables.filter((table) => !table.startsWith('kysely_')).every(isEmpty)) return false;
    for (const table of tables) database.exec(`drop table "${table}"`);
    return true;
  });
  return drop.immediate();
}
