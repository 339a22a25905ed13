import BetterSqlite3 from 'better-sqlite3';

/**
 * Versions that migrated without a transaction, and were killed at it, left a schema that is not what
 * is listed as migrated: a statement of the next migration finds something there already, or gone.
 */
export const isHalfMigrated = (error: unknown): boolean =>
  error instanceof BetterSqlite3.SqliteError && error.code === 'SQLITE_ERROR';

/** Drops all tables of a database without rows: it was killed in its first start. False if it has rows. */
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
