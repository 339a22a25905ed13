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

/** Why the database is unavailable. */
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
  /** For long reads; its connections are separate from those used by recording. */
  reader: KyselyDialect;
  signals: Signals;
  search: SearchIndex;
  /** The connection pools; empty if there are none. */
  pools(): Readonly<Record<string, PoolUse>>;
  /**
   * Useful number of concurrent insert-only transactions: one writes while another waits for its
   * commit.
   */
  maxConcurrentWrites: number;
  /** Aggregate: the distinct values of a text column as a JSON array; null or `[]` for none. */
  distinctJson(column: string): RawBuilder<string | null>;
  /** A text column with a JSON object, without one of its members. */
  withoutKey(column: string, key: string): RawBuilder<string>;
  /** A member of a text column with a JSON object, as text; null if there is none. */
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
  /** For a table that is only read by its primary key: SQLite then clusters it by the key. */
  clusteredByKey<T extends string, C extends string>(
    table: CreateTableBuilder<T, C>,
  ): CreateTableBuilder<T, C>;
  /**
   * Does an update that changes one indexed column write to all indexes of the table? Otherwise it
   * writes to those over the column.
   */
  updatesWriteEveryIndex: boolean;
  /** Is the error a unique constraint violation? */
  isUnique(error: unknown): boolean;
  /**
   * Why the database is unavailable, as a message that an operator can act on. Undefined for errors
   * caused by the query.
   */
  unavailability(error: unknown): Unavailability | undefined;
  /** Was the transaction rolled back because of a concurrent one, so that it can be retried? */
  isTransactionRollback(error: unknown): boolean;
  /** A snapshot of the active transactions, to check later. */
  snapshotTransactions(db: Kysely<Tables>): Promise<string>;
  /** Have all of these transactions ended, so that their effects are visible? */
  haveTransactionsEnded(db: Kysely<Tables>, snapshot: string): Promise<boolean>;
  /**
   * Performs a durable write that leaves nothing behind.
   *
   * @throws if recording would fail too
   */
  probe(db: Kysely<Tables>): Promise<void>;
  /** Is this migration error caused by an earlier migration that was interrupted? */
  isHalfMigrated(error: unknown): boolean;
  /** Empties the schema of a database without rows. Returns false if there are rows. */
  startOver(): boolean;
  /** Called once the schema is up to date. */
  migrated(): void;
  close(): Promise<void>;
}
