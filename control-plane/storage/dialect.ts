import type {
  AliasedRawBuilder,
  CreateTableBuilder,
  Dialect as KyselyDialect,
  Kysely,
  RawBuilder,
  Transaction,
} from 'kysely';
import type { Bulk } from './bulk.ts';
import type { SearchIndex } from './search/search-index.ts';
import type { Signals } from './signals.ts';
import type { Tables } from './tables.ts';

export interface PrimaryKey {
  name: string;
  columns: readonly string[];
}

/** A table to select from beside that of the columns; `key` counts from zero, the others are JSON. */
export interface Pairs {
  from: AliasedRawBuilder<{ key: number }, 'each'>;
  first: RawBuilder<string>;
  second: RawBuilder<string>;
}

export interface PoolUse {
  open: number;
  idle: number;
  /** Requests that wait for a connection. */
  waiting: number;
}

/** What differs between the databases. Everything else is written once. */
export interface Dialect {
  kysely: KyselyDialect;
  /** For reading that may take long: never on what recording writes with. */
  reader: KyselyDialect;
  signals: Signals;
  bulk: Bulk;
  search: SearchIndex;
  /** Its pools of connections; none where there is no pool. */
  pools(): Readonly<Record<string, PoolUse>>;
  /** How many transactions that only add are worth having under way: one writes while one waits. */
  writers: number;
  /** An aggregate: the distinct values of a text column as a JSON array; null or `[]` for none. */
  distinctJson(column: string): RawBuilder<string | null>;
  /** A text column that holds a JSON object, without one of its members. */
  withoutKey(column: string, key: string): RawBuilder<string>;
  /** The elements of two text columns that hold JSON arrays of one length, side by side. */
  pairsOf(first: string, second: string): Pairs;
  /**
   * Adds an integer `id` that the database counts up, and the primary key. SQLite counts only a
   * key of one column; elsewhere the key is `key`, led by the tenant.
   */
  autoId<T extends string, C extends string>(
    table: CreateTableBuilder<T, C>,
    key: PrimaryKey,
  ): CreateTableBuilder<T, C | 'id'>;
  /** Of a table that is only ever found by its primary key: SQLite then keeps it in the key's order. */
  keyed<T extends string, C extends string>(
    table: CreateTableBuilder<T, C>,
  ): CreateTableBuilder<T, C>;
  /** Was this error a violated unique constraint? */
  isUnique(error: unknown): boolean;
  /**
   * Why the database cannot do its work now, in words an operator acts on. Undefined for errors that
   * say something about the query instead.
   */
  unavailability(error: unknown): string | undefined;
  /** Did the database take the transaction back for the sake of another, so that it may be tried again? */
  isBrokenOff(error: unknown): boolean;
  /**
   * Waits until no other transaction holds the locks of these names; holds them to the end of this
   * one. Several are taken in the order of their names, so that nobody waits in a circle.
   */
  lock(trx: Transaction<Tables>, ...names: readonly string[]): Promise<void>;
  /** Which transactions are under way, to be asked about later. */
  underWay(db: Kysely<Tables>): Promise<string>;
  /** Have all of these ended? What they did is then seen by whoever looks. */
  haveEnded(db: Kysely<Tables>, underWay: string): Promise<boolean>;
  /** Writes, durably, and leaves nothing behind. @throws where recording would fail as well */
  probe(db: Kysely<Tables>): Promise<void>;
  /** Does this error of a migration come from one that was left unfinished before? */
  isHalfMigrated(error: unknown): boolean;
  /** Empties the schema of a database without rows. False when there are rows. */
  startOver(): boolean;
  /** Called once the schema is up to date. */
  migrated(): void;
  close(): Promise<void>;
}
