import type { CreateTableBuilder, Dialect as KyselyDialect } from 'kysely';
import type { Signals } from './signals.ts';

export interface PrimaryKey {
  name: string;
  columns: readonly string[];
}

/** What differs between the databases. Everything else is written once. */
export interface Dialect {
  name: 'sqlite' | 'postgres';
  kysely: KyselyDialect;
  signals: Signals;
  /**
   * Adds an integer `id` that the database counts up, and the primary key. SQLite counts only a
   * key of one column; elsewhere the key is `key`, led by the tenant.
   */
  autoId<T extends string, C extends string>(
    table: CreateTableBuilder<T, C>,
    key: PrimaryKey,
  ): CreateTableBuilder<T, C | 'id'>;
  /** Was this error a violated unique constraint? */
  isUnique(error: unknown): boolean;
  close(): Promise<void>;
}
