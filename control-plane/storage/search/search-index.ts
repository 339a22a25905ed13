import type { Expression, Kysely, SqlBool, Transaction } from 'kysely';
import type { Phrase } from '../../search/rules.ts';
import type { Tables } from '../tables.ts';

/** Full text of LLM calls. It is written in the background, by a thread of its own. */
export interface SearchIndex {
  /** Makes what it needs in the database; part of the migrations. */
  create(db: Kysely<unknown>): Promise<void>;
  /** Recording says, in its transaction, which calls it stored. */
  enqueue(trx: Transaction<Tables>, tenantId: string, callIds: readonly number[]): Promise<void>;
  /** Whoever deletes calls says, in the same transaction, which ones. */
  forget(trx: Transaction<Tables>, tenantId: string, callIds: readonly number[]): Promise<void>;
  /**
   * Waits, for two seconds at most, until everything a tenant has recorded can be found. False when
   * that was not enough, as after a restore.
   */
  catchUp(tenantId: string): Promise<boolean>;
  /** A condition for `llm_calls` in this transaction of the reader: all phrases are in the call. */
  matches(
    reader: Transaction<Tables>,
    tenantId: string,
    phrases: readonly Phrase[],
  ): Promise<Expression<SqlBool>>;
  close(): Promise<void>;
}
