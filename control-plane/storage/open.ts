import { join } from 'node:path';
import { Kysely, type Transaction } from 'kysely';
import { withSettings } from '../lib/setting-error.ts';
import { findMismatch, migrate, type MigrationsOf, migrationsOf } from './migrate.ts';
import { boundedCheck, cachedCheck, type Check } from './readiness.ts';
import { openSqlite } from './sqlite.ts';
import { type RunTransaction, transactionsOf } from './transaction.ts';
import type { Dialect } from './dialect.ts';
import type { SearchIndex, SearchLag } from './search/search-index.ts';
import type { Signals } from './signals.ts';
import type { Tables } from './tables.ts';

export const DATABASE_FILE = 'gatehouse.db';

export type Trx = Transaction<Tables>;
export type Db = Kysely<Tables> | Trx;

export interface Storage {
  db: Kysely<Tables>;
  /** Connections for long reads, which never delay recording. They see all committed data. */
  reader: Kysely<Tables>;
  signals: Signals;
  transaction: RunTransaction;
  search: SearchIndex;
  pools: Dialect['pools'];
  maxConcurrentWrites: Dialect['maxConcurrentWrites'];
  distinctJson: Dialect['distinctJson'];
  withoutKey: Dialect['withoutKey'];
  memberOf: Dialect['memberOf'];
  pairsOf: Dialect['pairsOf'];
  isUnique: Dialect['isUnique'];
  unavailability: Dialect['unavailability'];
  /** Whether the error was caused by the database being unavailable rather than by the query. */
  isUnavailable(error: unknown): boolean;
  isTransactionRollback: Dialect['isTransactionRollback'];
  snapshotTransactions: Dialect['snapshotTransactions'];
  haveTransactionsEnded: Dialect['haveTransactionsEnded'];
  /** Checks that must pass for the control plane to be ready. */
  checks: Record<'database' | 'recording' | 'migrations', () => Promise<Check>>;
  /** Unindexed calls of all tenants; undefined if they cannot be counted in time. */
  searchLag: () => Promise<SearchLag | undefined>;
  close(): Promise<void>;
}

export interface StorageOptions {
  /** `postgres://…`; unset means SQLite in `dataDir`. */
  databaseUrl?: string | undefined;
  dataDir: string;
  /** SQLite only; `full` by default. */
  synchronous?: 'full' | 'normal';
  /** The migrations of this version by default. */
  migrations?: MigrationsOf | undefined;
  onProblem: (message: string) => void;
}

/**
 * Opens the database and migrates its schema to the current version.
 *
 * @throws SettingError
 */
export function openStorage(options: StorageOptions): Promise<Storage> {
  const { databaseUrl, dataDir, synchronous = 'full', onProblem } = options;
  const { migrations = migrationsOf } = options;
  return databaseUrl
    ? withSettings(['DATABASE_URL'], 'opening the PostgreSQL database', async () => {
        // The PostgreSQL client is loaded only if it is used.
        const { openPostgres } = await import('./postgres.ts');
        return open(openPostgres(databaseUrl, onProblem), migrations, onProblem);
      })
    : withSettings(['DATA_DIR'], `opening ${DATABASE_FILE}`, () =>
        open(
          openSqlite(join(dataDir, DATABASE_FILE), synchronous, onProblem),
          migrations,
          onProblem,
        ),
      );
}

async function open(
  dialect: Dialect,
  migrations: MigrationsOf,
  onProblem: (message: string) => void,
): Promise<Storage> {
  const db = new Kysely<Tables>({ dialect: dialect.kysely });
  const reader = new Kysely<Tables>({ dialect: dialect.reader });
  const close = async (): Promise<void> => {
    await dialect.search.close();
    await reader.destroy();
    await dialect.close();
    await db.destroy();
  };
  try {
    await migrate(db, dialect, migrations);
    dialect.migrated();
    await dialect.search.start();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    db,
    reader,
    signals: dialect.signals,
    transaction: transactionsOf(db, dialect),
    search: dialect.search,
    pools: () => dialect.pools(),
    maxConcurrentWrites: dialect.maxConcurrentWrites,
    distinctJson: (column) => dialect.distinctJson(column),
    withoutKey: (column, key) => dialect.withoutKey(column, key),
    memberOf: (column, key) => dialect.memberOf(column, key),
    pairsOf: (first, second) => dialect.pairsOf(first, second),
    isUnique: (error) => dialect.isUnique(error),
    unavailability: (error) => dialect.unavailability(error),
    isUnavailable: (error) => dialect.unavailability(error) !== undefined,
    isTransactionRollback: (error) => dialect.isTransactionRollback(error),
    snapshotTransactions: (of) => dialect.snapshotTransactions(of),
    haveTransactionsEnded: (of, snapshot) => dialect.haveTransactionsEnded(of, snapshot),
    checks: checksOf(db, dialect, migrations, onProblem),
    searchLag: cachedCheck(() => dialect.search.lag().catch(() => undefined)),
    close,
  };
}

function checksOf(
  db: Kysely<Tables>,
  dialect: Dialect,
  migrations: MigrationsOf,
  onProblem: (message: string) => void,
): Storage['checks'] {
  const reasonOf = (error: unknown): string => {
    const reason = dialect.unavailability(error)?.message;
    if (reason === undefined) onProblem(`readiness check failed: ${(error as Error).message}`);
    return reason ?? 'failed: see the log';
  };
  const none = (): undefined => undefined;
  const read = () => db.selectFrom('tenants').select('id').limit(1).execute().then(none);
  return {
    database: boundedCheck(read, reasonOf),
    recording: boundedCheck(() => dialect.probe(db).then(none), reasonOf),
    migrations: boundedCheck(() => findMismatch(db, dialect, migrations), reasonOf),
  };
}
