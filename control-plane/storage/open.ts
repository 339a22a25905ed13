import { join } from 'node:path';
import { Kysely, type Transaction } from 'kysely';
import { relyingOn } from '../startup-errors.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import type { Bulk } from './bulk.ts';
import type { Dialect } from './dialect.ts';
import type { Signals } from './signals.ts';
import type { Tables } from './tables.ts';

const DATABASE_FILE = 'gatehouse.db';

export type Db = Kysely<Tables> | Transaction<Tables>;

export interface Storage {
  db: Kysely<Tables>;
  /** For reading that may take long: it never holds recording up. Sees all that is committed. */
  reader: Kysely<Tables>;
  signals: Signals;
  bulk: Bulk;
  isUnique: Dialect['isUnique'];
  isUnavailable: Dialect['isUnavailable'];
  lock: Dialect['lock'];
  close(): Promise<void>;
}

export interface StorageOptions {
  /** `postgres://…`; unset means SQLite in `dataDir`. */
  databaseUrl?: string | undefined;
  dataDir: string;
  onProblem: (line: string) => void;
}

/** Opens the database and brings its schema up to date. @throws SettingError */
export function openStorage(options: StorageOptions): Promise<Storage> {
  const { databaseUrl, dataDir, onProblem } = options;
  return databaseUrl
    ? relyingOn(['DATABASE_URL'], 'opening the PostgreSQL database', () =>
        open(openPostgres(databaseUrl, onProblem)),
      )
    : relyingOn(['DATA_DIR'], `opening ${DATABASE_FILE}`, () =>
        open(openSqlite(join(dataDir, DATABASE_FILE))),
      );
}

async function open(dialect: Dialect): Promise<Storage> {
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
  return {
    db,
    reader: db,
    signals: dialect.signals,
    bulk: dialect.bulk,
    isUnique: (error) => dialect.isUnique(error),
    isUnavailable: (error) => dialect.isUnavailable(error),
    lock: (trx, name) => dialect.lock(trx, name),
    close,
  };
}
