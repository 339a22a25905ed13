import type {
  AliasedRawBuilder,
  CreateTableBuilder,
  Dialect as KyselyDialect,
  Kysely,
  RawBuilder,
} from 'kysely';
import type { SearchIndex } from './search/search-index.ts';
import type { Signals } from './signals.ts';
import type { Tables } from './tables.ts';
import type { TransactionDialect } from './transaction.ts';
import type { ErrorReason } from '#contract/error-reasons.ts';

/** The reason why the database is unavailable. */
export interface Unavailability {
  reason: Extract<ErrorReason, 'database_unavailable' | 'storage_full' | 'storage_read_only'>;
  message: string;
}

export interface PrimaryKey {
  name: string;
  columns: readonly string[];
}

/**
 * A derived table of the elements beside the columns' table; `key` counts from zero, the others are
 * JSON.
 */
export interface Pairs {
  from: AliasedRawBuilder<{ key: number }, 'each'>;
  first: RawBuilder<string>;
  second: RawBuilder<string>;
}

export interface PoolUse {
  open: number;
  idle: number;
  /** Requests waiting for a connection. */
  waiting: number;
}

/** The differences between the databases. All other code is shared. */
export interface Dialect extends TransactionDialect {
  kysely: KyselyDialect;
  /** Connections for long reads, separate from those used by recording. */
  reader: KyselyDialect;
  signals: Signals;
  search: SearchIndex;
  /** The connection pools; empty if there are none. */
  pools(): Readonly<Record<string, PoolUse>>;
  /**
   * The useful number of concurrent insert-only transactions: one writes while another waits for
   * its commit.
   */
  maxConcurrentWrites: number;
  /**
   * An aggregate: the distinct values of a text column as a JSON array; null or `[]` if there are
   * no values.
   */
  distinctJson(column: string): RawBuilder<string | null>;
  /** A text column with a JSON object, without one of its members. */
  withoutKey(column: string, key: string): RawBuilder<string>;
  /**
   * A member of a text column with a JSON object, as text; null if there is none. What is no string
   * is written as in JSON, such as `true` or `1.5`.
   */
  memberOf(column: string, key: string): RawBuilder<string | null>;
  /** The elements of two text columns with JSON arrays of equal length, side by side. */
  pairsOf(first: string, second: string): Pairs;
  /**
   * Adds an auto-increment integer `id` and the primary key. SQLite auto-increments only
   * single-column keys; elsewhere the key is `key`, led by the tenant.
   */
  autoId<T extends string, C extends string>(
    table: CreateTableBuilder<T, C>,
    key: PrimaryKey,
  ): CreateTableBuilder<T, C | 'id'>;
  /**
   * Makes SQLite cluster a table by its primary key. Use it for tables that are only read by that
   * key.
   */
  clusteredByKey<T extends string, C extends string>(
    table: CreateTableBuilder<T, C>,
  ): CreateTableBuilder<T, C>;
  /**
   * True if an update that changes one indexed column writes to all indexes of the table; false if
   * it writes only to the indexes that contain the column.
   */
  updatesWriteEveryIndex: boolean;
  /** Whether the error is a unique constraint violation. */
  isUnique(error: unknown): boolean;
  /**
   * Returns why the database is unavailable, as a message that an operator can act on; undefined
   * for errors caused by the query.
   */
  unavailability(error: unknown): Unavailability | undefined;
  /**
   * Whether the transaction was rolled back because of a concurrent one, so that it can be retried.
   */
  isTransactionRollback(error: unknown): boolean;
  /** Returns a snapshot of the active transactions for `haveTransactionsEnded`. */
  snapshotTransactions(db: Kysely<Tables>): Promise<string>;
  /** Whether all of these transactions have ended, so that their effects are visible. */
  haveTransactionsEnded(db: Kysely<Tables>, snapshot: string): Promise<boolean>;
  /**
   * Performs a durable write that leaves nothing behind.
   *
   * @throws if recording would fail too
   */
  probe(db: Kysely<Tables>): Promise<void>;
  /** Whether this migration error was caused by an earlier migration that was interrupted. */
  isHalfMigrated(error: unknown): boolean;
  /** Empties the schema of a database without rows. Returns false if there are rows. */
  dropEmptySchema(): boolean;
  /** Called once the schema is up to date. */
  migrated(): void;
  close(): Promise<void>;
}
