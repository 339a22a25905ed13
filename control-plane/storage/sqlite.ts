import BetterSqlite3 from 'better-sqlite3';
import { sql } from 'kysely';
import { createOnce, keepPrivate } from '../lib/private-file.ts';
import type { Dialect } from './dialect.ts';
import { sqliteBulk } from './sqlite-bulk.ts';
import { sqliteReader } from './reader.ts';
import { searchFileOf } from './search/sqlite-file.ts';
import { sqliteSearch } from './search/sqlite.ts';
import { localSignals } from './signals.ts';
import { checkpointsBeside, PAGES_BEFORE_WRITER_COPIES } from './sqlite-checkpoints.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { probeSqlite } from './sqlite-probe.ts';
import { isHalfMigrated, startOver } from './sqlite-start-over.ts';
import { giveStatistics } from './sqlite-statistics.ts';
import { isLocked, sqliteUnavailability } from './sqlite-unavailable.ts';
import { cachingPrepare } from './statement-cache.ts';

/** The embedded database: one file, one writing connection, one process. */
export function openSqlite(
  file: string,
  synchronous: 'full' | 'normal',
  onProblem: (message: string) => void,
): Dialect {
  // SQLite creates the files beside the database with the database's mode.
  createOnce(file, '');
  keepPrivate([file, `${file}-wal`, `${file}-shm`]);
  const database = new BetterSqlite3(file);
  database.pragma('journal_mode = WAL');
  // In WAL mode NORMAL keeps a commit through a crash of the process; FULL also through a power
  // failure.
  database.pragma(`synchronous = ${synchronous}`);
  database.pragma(`wal_autocheckpoint = ${PAGES_BEFORE_WRITER_COPIES}`);
  database.pragma('foreign_keys = ON');
  database.pragma('busy_timeout = 5000');
  const files = { databaseFile: file, searchFile: searchFileOf(file) };
  const checkpoints = checkpointsBeside(file, onProblem);
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
    bulk,
    pools: () => ({}),
    writers: 1,
    search: sqliteSearch(database, files, bulk, onProblem),
    distinctJson: (column) => sql`json_group_array(distinct ${sql.ref(column)})`,
    withoutKey: (column, key) =>
      sql`json_remove(${sql.ref(column)}, ${`$.${JSON.stringify(key)}`})`,
    pairsOf: (first, second) => ({
      from: sql<{ key: number }>`json_each(${sql.ref(second)})`.as('each'),
      first: sql`(${sql.ref(first)} -> each.key)`,
      second: sql`each.value`,
    }),
    autoId: (table) =>
      table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement()),
    keyed: (table) => table.modifyEnd(sql`without rowid`),
    isUnique: (error) =>
      error instanceof BetterSqlite3.SqliteError &&
      ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'].includes(error.code),
    unavailability: sqliteUnavailability,
    // On one connection transactions are serialized anyway.
    isBrokenOff: () => false,
    lock: () => Promise.resolve(),
    underWay: () => Promise.resolve(''),
    haveEnded: () => Promise.resolve(true),
    probe: (db) => probeSqlite(db, file),
    isHalfMigrated,
    startOver: () => startOver(database),
    migrated() {
      giveStatistics(database);
      // From now on, users that find the database locked wait without blocking the event loop.
      database.pragma('busy_timeout = 0');
      // Statement journals would spill to a file beyond 64 KB. Set only now: an index over existing
      // data, created by a migration, is sorted in files. Later writes of this connection are
      // small; lists are read by other connections.
      database.pragma('temp_store = MEMORY');
    },
    close: () => checkpoints.close(),
  };
}
