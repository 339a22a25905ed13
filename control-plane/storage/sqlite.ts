import { rm, writeFile } from 'node:fs/promises';
import BetterSqlite3 from 'better-sqlite3';
import {
  type Dialect as KyselyDialect,
  type Kysely,
  type RawBuilder,
  sql,
  SqliteAdapter,
  SqliteIntrospector,
} from 'kysely';
import { reportHeld } from './held-transactions.ts';
import { type SqliteAccess, sqliteDriver } from './sqlite-driver.ts';
import { SqliteCompiler } from './value-list.ts';
import type { Tables } from './tables.ts';
import { createOnce, restrictToOwner } from '../lib/private-file.ts';
import type { Dialect } from './dialect.ts';
import { sqliteBulk } from './sqlite-bulk.ts';
import { sqliteReader } from './reader.ts';
import { searchFileOf } from './search/sqlite-file.ts';
import { sqliteSearch } from './search/sqlite.ts';
import { localSignals } from './signals.ts';
import { checkpointsInThread, PAGES_BEFORE_WRITER_COPIES } from './sqlite-checkpoints.ts';
import { analyzeTables } from './sqlite-statistics.ts';
import { isLocked, sqliteUnavailability } from './sqlite-unavailable.ts';
import { cachingPrepare } from './statement-cache.ts';

/** Opens the embedded database, which has one file, one writing connection and one process. */
export function openSqlite(
  file: string,
  synchronous: 'full' | 'normal',
  onProblem: (message: string) => void,
): Dialect {
  // SQLite gives the additional files the mode of the database file.
  createOnce(file, '');
  restrictToOwner([file, `${file}-wal`, `${file}-shm`]);
  const database = new BetterSqlite3(file);
  database.pragma('journal_mode = WAL');
  // In WAL mode a commit survives a crash of the process with NORMAL, and a power failure with
  // FULL.
  database.pragma(`synchronous = ${synchronous}`);
  database.pragma(`wal_autocheckpoint = ${PAGES_BEFORE_WRITER_COPIES}`);
  database.pragma('foreign_keys = ON');
  database.pragma('busy_timeout = 5000');
  const files = { databaseFile: file, searchFile: searchFileOf(file) };
  const checkpoints = checkpointsInThread(file, onProblem);
  const prepare = cachingPrepare(database);
  const bulk = sqliteBulk(database);
  return {
    kysely: sqliteDialect({
      database: { close: () => void database.close(), prepare },
      inTransaction: () => database.inTransaction,
      onCommit: () => checkpoints.committed(),
      isLocked,
    }),
    reader: sqliteReader(files),
    signals: localSignals(),
    bulkOf: () => bulk,
    pools: () => ({}),
    maxConcurrentWrites: 1,
    search: sqliteSearch(database, files, onProblem),
    distinctJson: (column) => sql`json_group_array(distinct ${sql.ref(column)})`,
    withoutKey: (column, key) =>
      sql`json_remove(${sql.ref(column)}, ${`$.${JSON.stringify(key)}`})`,
    memberOf: (column, key) => memberText(sql.ref(column), `$.${JSON.stringify(key)}`),
    pairsOf: (first, second) => ({
      from: sql<{ key: number }>`json_each(${sql.ref(second)})`.as('each'),
      first: sql`(${sql.ref(first)} -> each.key)`,
      second: sql`each.value`,
    }),
    autoId: (table) =>
      table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement()),
    clusteredByKey: (table) => table.modifyEnd(sql`without rowid`),
    updatesWriteEveryIndex: false,
    isUnique: (error) =>
      error instanceof BetterSqlite3.SqliteError &&
      ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'].includes(error.code),
    unavailability: sqliteUnavailability,
    // Transactions on one connection are serialized.
    isTransactionRollback: () => false,
    lock: () => Promise.resolve(),
    snapshotTransactions: () => Promise.resolve(''),
    haveTransactionsEnded: () => Promise.resolve(true),
    probe: (db) => probeSqlite(db, file),
    isHalfMigrated,
    dropEmptySchema: () => dropEmptySchema(database),
    migrated() {
      analyzeTables(database);
      // From now on, users that find the database locked wait without blocking the event loop.
      database.pragma('busy_timeout = 0');
      // Statement journals would spill to a file beyond 64 KB. This is set only now, because an
      // index that a migration creates over existing data is sorted in files. Later writes of this
      // connection are small, and lists are read by other connections.
      database.pragma('temp_store = MEMORY');
    },
    close: () => checkpoints.close(),
  };
}

/** Returns a member as text. SQLite itself returns numbers as such, and Booleans as 0 and 1. */
const memberText = (column: RawBuilder<unknown>, path: string): RawBuilder<string | null> =>
  sql`case json_type(${column}, ${path}) when 'true' then 'true' when 'false' then 'false'
    else cast(${column} ->> ${path} as text) end`;

const SCRATCH = Buffer.alloc(1024 * 1024);

/**
 * Checks that SQLite accepts writes. Its log may have room for one more page on a disk that is too
 * full for a request. A file of the size of large requests is therefore written too, and removed
 * before the system flushes it to the disk.
 */
export async function probeSqlite(db: Kysely<Tables>, databaseFile: string): Promise<void> {
  const file = `${databaseFile}.probe`;
  try {
    await writeFile(file, SCRATCH, { mode: 0o600 });
  } finally {
    await rm(file, { force: true });
  }
  // The value is unused, but setting it writes the first page.
  await sql`pragma user_version = 0`.execute(db);
}

/**
 * Whether the error is caused by a half-applied migration. Versions that migrated without a
 * transaction, and were killed during it, left a schema that differs from the list of migrations.
 * A statement of the next migration then fails because an object already exists, or is missing.
 */
export const isHalfMigrated = (error: unknown): boolean =>
  error instanceof BetterSqlite3.SqliteError && error.code === 'SQLITE_ERROR';

/**
 * Drops all tables of a database without rows, which is left when its first start is killed.
 * Returns false if it has rows.
 */
export function dropEmptySchema(database: BetterSqlite3.Database): boolean {
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

/** Kysely's dialect for the writing connection. */
const sqliteDialect = (access: SqliteAccess): KyselyDialect => ({
  createAdapter: () => new Adapter(),
  createDriver: () => reportHeld(sqliteDriver(access)),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteCompiler(),
});

class Adapter extends SqliteAdapter {
  /**
   * The driver queues its users itself. Kysely would also make them wait while the connection is
   * free.
   */
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  /**
   * Migrations are one transaction: if the process is killed, either none or all of them are
   * applied.
   */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
