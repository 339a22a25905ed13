import BetterSqlite3 from 'better-sqlite3';
import { type Dialect as KyselyDialect, sql, SqliteDialect } from 'kysely';
import { createOnce, keepPrivate } from '../private-file.ts';
import type { Dialect } from './dialect.ts';
import { sqliteBulk } from './sqlite-bulk.ts';
import { sqliteReader } from './reader.ts';
import { searchFileOf } from './search/sqlite-file.ts';
import { sqliteSearch } from './search/sqlite.ts';
import { localSignals } from './signals.ts';
import { checkpointsBeside, PAGES_BEFORE_WRITER_COPIES } from './sqlite-checkpoints.ts';
import { giveStatistics } from './sqlite-statistics.ts';
import { cachingPrepare } from './statement-cache.ts';

/** The embedded database: one file, one connection that writes, one process. */
export function openSqlite(
  file: string,
  synchronous: 'full' | 'normal',
  onProblem: (line: string) => void,
): Dialect {
  // SQLite gives the files beside the database, when it makes them, the database's mode.
  createOnce(file, '');
  keepPrivate([file, `${file}-wal`, `${file}-shm`]);
  const database = new BetterSqlite3(file);
  database.pragma('journal_mode = WAL');
  // In WAL mode NORMAL keeps a commit through a crash of the process; FULL also through a
  // loss of power.
  database.pragma(`synchronous = ${synchronous}`);
  database.pragma(`wal_autocheckpoint = ${PAGES_BEFORE_WRITER_COPIES}`);
  database.pragma('foreign_keys = ON');
  database.pragma('busy_timeout = 5000');
  const files = { databaseFile: file, searchFile: searchFileOf(file) };
  const checkpoints = checkpointsBeside(file, onProblem);
  const prepare = cachingPrepare(database);
  return {
    kysely: withEnds(
      new SqliteDialect({ database: { close: () => void database.close(), prepare } }),
      {
        isOpen: () => database.inTransaction,
        onCommit: () => checkpoints.committed(),
      },
    ),
    reader: sqliteReader(files),
    signals: localSignals(),
    bulk: sqliteBulk(database),
    writers: 1,
    search: sqliteSearch(files, onProblem),
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
    // On one connection transactions run one after another anyway.
    isUnavailable: (error) =>
      error instanceof BetterSqlite3.SqliteError && /^SQLITE_(BUSY|FULL|IOERR)/.test(error.code),
    isBrokenOff: () => false,
    lock: () => Promise.resolve(),
    underWay: () => Promise.resolve(''),
    haveEnded: () => Promise.resolve(true),
    migrated() {
      giveStatistics(database);
      // What takes a statement back would go to a file once it is 64 KB. Only now: an index of all
      // that there is, which a migration makes, is sorted in files. What this connection does later
      // is done in small steps; lists are read by others.
      database.pragma('temp_store = MEMORY');
    },
    close: () => checkpoints.close(),
  };
}

interface Ends {
  /** After some errors, as of a full disk, SQLite has taken a transaction back by itself. */
  isOpen: () => boolean;
  onCommit: () => void;
}

const withEnds = (dialect: KyselyDialect, { isOpen, onCommit }: Ends): KyselyDialect => ({
  createAdapter: () => dialect.createAdapter(),
  createIntrospector: (db) => dialect.createIntrospector(db),
  createQueryCompiler: () => dialect.createQueryCompiler(),
  createDriver() {
    const driver = dialect.createDriver();
    const commit = driver.commitTransaction.bind(driver);
    const rollback = driver.rollbackTransaction.bind(driver);
    driver.commitTransaction = async (connection) => {
      await commit(connection);
      onCommit();
    };
    driver.rollbackTransaction = async (connection) => {
      if (isOpen()) await rollback(connection);
    };
    return driver;
  },
});
