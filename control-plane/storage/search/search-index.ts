import type { Kysely, Transaction } from 'kysely';
import type { Phrase } from './word-rules.ts';
import type { Tables } from '../tables.ts';
import type { Tx } from '../transaction.ts';
import type { FieldName, SegmentFields } from './call-fields.ts';

/** Calls that were recorded but are not searchable yet. */
export interface SearchLag {
  calls: number;
  /** The age of the oldest of them. */
  seconds: number;
}

/** The matching calls of one segment of the index. */
export interface SearchMatch {
  count: number;
  /** Bounds of `created_at` of the matching calls. They may be wider than necessary. */
  first_at: number;
  last_at: number;
  /** Decodes fields of the matching calls, which are always in the same order. */
  load<F extends FieldName>(names: readonly F[]): Promise<Pick<SegmentFields, F>>;
}

/** A full-text index of LLM calls, written in the background by its own thread. */
export interface SearchIndex {
  /**
   * Creates the database objects of the index in an empty database. This is part of the first
   * schema.
   */
  create(db: Kysely<unknown>): Promise<void>;
  /** Resumes the work of an earlier process. The schema must be up to date. */
  start(): Promise<void>;
  /** Queues calls for indexing. Recording calls it in the transaction that stores them. */
  enqueue(tx: Tx, tenantId: string, callIds: readonly number[]): Promise<void>;
  /**
   * Marks calls as changed. Must be called in the transaction that deletes them or changes an
   * indexed field.
   */
  changed(tx: Tx, tenantId: string, callIds: readonly number[]): Promise<void>;
  /**
   * Waits up to two seconds until all recorded calls of a tenant are searchable. Returns false if
   * that takes longer, for example after a restore.
   */
  catchUp(tenantId: string): Promise<boolean>;
  /** Returns the lag of one tenant, or of all tenants together. */
  lag(tenantId?: string): Promise<SearchLag>;
  /** Finds the calls that match all phrases, as seen by this transaction of the reader. */
  find(
    reader: Transaction<Tables>,
    tenantId: string,
    phrases: readonly Phrase[],
  ): Promise<SearchMatch[]>;
  close(): Promise<void>;
}
