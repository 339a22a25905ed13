import type { Kysely, Transaction } from 'kysely';
import type { Phrase } from './word-rules.ts';
import type { Tables } from '../tables.ts';
import type { FactName, Facts } from './facts.ts';

/** What was recorded and cannot be found yet. */
export interface SearchLag {
  calls: number;
  /** For how long the first of them has waited. */
  seconds: number;
}

/** The calls of one segment of the index that match. */
export interface SearchMatch {
  count: number;
  /** None of them was made before or after. */
  first_at: number;
  last_at: number;
  /** In the same order whenever it is called. */
  load<F extends FactName>(names: readonly F[]): Promise<Pick<Facts, F>>;
}

/** Full text of LLM calls. It is written in the background, by a thread of its own. */
export interface SearchIndex {
  /** Makes what it needs in an empty database; part of the first schema. */
  create(db: Kysely<unknown>): Promise<void>;
  /** Goes on with what an earlier process left; the schema is up to date. */
  start(): Promise<void>;
  /** Recording says, in its transaction, which calls it stored. */
  enqueue(trx: Transaction<Tables>, tenantId: string, callIds: readonly number[]): Promise<void>;
  /**
   * To be called in the transaction that deletes calls, or changes what of them lists filter by, sort
   * by or add up.
   */
  changed(trx: Transaction<Tables>, tenantId: string, callIds: readonly number[]): Promise<void>;
  /**
   * Waits, for two seconds at most, until everything a tenant has recorded can be found. False when
   * that was not enough, as after a restore.
   */
  catchUp(tenantId: string): Promise<boolean>;
  /** Of one tenant, or of all. */
  lag(tenantId?: string): Promise<SearchLag>;
  /** The calls that hold all phrases, as this transaction of the reader sees them. */
  find(
    reader: Transaction<Tables>,
    tenantId: string,
    phrases: readonly Phrase[],
  ): Promise<SearchMatch[]>;
  close(): Promise<void>;
}
