import { join } from 'node:path';
import { Kysely, type Transaction } from 'kysely';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import type { Dialect } from './dialect.ts';
import type { Signals } from './signals.ts';
import type { Tables } from './tables.ts';

export type Db = Kysely<Tables> | Transaction<Tables>;

export interface Storage {
  db: Kysely<Tables>;
  signals: Signals;
  isUnique: Dialect['isUnique'];
  close(): Promise<void>;
}

export interface StorageOptions {
  /** `postgres://…`; unset means SQLite in `dataDir`. */
  databaseUrl?: string | undefined;
  dataDir: string;
  onProblem: (line: string) => void;
}

/** Opens the database and brings its schema up to date. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const dialect = options.databaseUrl
    ? openPostgres(options.databaseUrl, options.onProblem)
    : openSqlite(join(options.dataDir, 'gatehouse.db'));
  const db = new Kysely<Tables>({ dialect: dialect.kysely });
  const close = async (): Promise<void> => {
    await dialect.close();
    await db.destroy();
  };
  try {
    await migrate(db, dialect);
  } catch (error) {
    await close();
    throw error;
  }
  return { db, signals: dialect.signals, isUnique: (error) => dialect.isUnique(error), close };
}
