import BetterSqlite3 from 'better-sqlite3';
import { type SqliteDatabase, type SqliteStatement, SqliteDialect } from 'kysely';
import { createOnce, keepPrivate } from '../private-file.ts';
import type { Dialect } from './dialect.ts';
import { sqliteBulk } from './sqlite-bulk.ts';
import { localSignals } from './signals.ts';

const CACHED_STATEMENTS = 500;

/** The embedded database: one file, one connection, one process. */
export function openSqlite(file: string): Dialect {
  // SQLite gives the files beside the database, when it makes them, the database's mode.
  createOnce(file, '');
  keepPrivate([file, `${file}-wal`, `${file}-shm`]);
  const database = new BetterSqlite3(file);
  database.pragma('journal_mode = WAL');
  // In WAL mode NORMAL keeps a commit through a crash of the process; FULL also through a
  // loss of power, and what was acknowledged must not be lost.
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  database.pragma('busy_timeout = 5000');
  return {
    kysely: new SqliteDialect({ database: withStatementCache(database) }),
    signals: localSignals(),
    bulk: sqliteBulk(database),
    autoId: (table) =>
      table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement()),
    isUnique: (error) =>
      error instanceof BetterSqlite3.SqliteError &&
      ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'].includes(error.code),
    // On one connection transactions run one after another anyway.
    isUnavailable: (error) =>
      error instanceof BetterSqlite3.SqliteError && /^SQLITE_(BUSY|FULL|IOERR)/.test(error.code),
    lock: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

/** Preparing costs more than most of our queries; a bounded cache of the latest used saves it. */
function withStatementCache(database: BetterSqlite3.Database): SqliteDatabase {
  const cache = new Map<string, SqliteStatement>();
  return {
    close: () => void database.close(),
    prepare(text) {
      const cached = cache.get(text);
      if (cached) cache.delete(text);
      const statement = cached ?? database.prepare(text);
      cache.set(text, statement);
      if (cache.size > CACHED_STATEMENTS) cache.delete(cache.keys().next().value ?? '');
      return statement;
    },
  };
}
