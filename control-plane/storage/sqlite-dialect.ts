import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { reportHeld } from './held-transactions.ts';
import { type SqliteAccess, sqliteDriver } from './sqlite-driver.ts';

/** Kysely's dialect for the connection that writes. */
export const sqliteDialect = (access: SqliteAccess): Dialect => ({
  createAdapter: () => new Adapter(),
  createDriver: () => reportHeld(sqliteDriver(access)),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});

class Adapter extends SqliteAdapter {
  /** The driver lets its users take turns; Kysely would also let them wait for each other's pauses. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  /** Migrations are one transaction: killed at any moment, none or all of them are done. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
