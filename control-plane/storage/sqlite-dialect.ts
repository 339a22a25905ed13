import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { reportHeld } from './held-transactions.ts';
import { type SqliteAccess, sqliteDriver } from './sqlite-driver.ts';

/** Kysely's dialect for the writing connection. */
export const sqliteDialect = (access: SqliteAccess): Dialect => ({
  createAdapter: () => new Adapter(),
  createDriver: () => reportHeld(sqliteDriver(access)),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});

class Adapter extends SqliteAdapter {
  /**
   * The driver queues its users itself; Kysely would also make them wait while others do not use
   * it.
   */
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  /** Migrations are one transaction: if killed at any time, none or all of them are applied. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
