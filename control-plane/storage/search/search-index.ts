import type { Kysely, Transaction } from 'kysely';
import type { Phrase } from './word-rules.ts';
import type { Tables } from '../tables.ts';
import type { Tx } from '../transaction.ts';
import type { FieldName, SegmentFields } from './call-fields.ts';

/** Calls that were recorded but are not searchable yet. */
export interface SearchLag {
  calls: number;
  /** How long the oldest of them has waited. */
  seconds: number;
}

/** The matching calls of one segment of the index. */
export interface SearchMatch {
  count: number;
  /** Bounds of `created_at` of the matching calls; they may be wider than needed. */
  first_at: number;
  last_at: number;
  /** Decodes fields of the matching calls; the order of the calls is always the same. */
  load<F extends FieldName>(names: readonly F[]): Promise<Pick<SegmentFields, F>>;
}

/** Full-text index of LLM calls, written in the background by a thread of its own. */
export interface SearchIndex {
  /** Creates its database objects in an empty database; part of the first schema. */
  create(db: Kysely<unknown>): Promise<void>;
  /** Resumes the work of an earlier process; the schema must be up to date. */
  start(): Promise<void>;
  /** Called by recording, in the transaction that stores these calls. */
  enqueue(tx: Tx, tenantId: string, callIds: readonly number[]): Promise<void>;
  /**
   * To be called in the transaction that deletes calls or changes one of their indexed fields.
   */
  changed(tx: Tx, tenantId: string, callIds: readonly number[]): Promise<void>;
  /**
   * Waits up to two seconds until all recorded calls of a tenant are searchable. Returns false if
   * they are not by then, for example after a restore.
   */
  catchUp(tenantId: string): Promise<boolean>;
  /** The lag of one tenant, or of all tenants together. */
  lag(tenantId?: string): Promise<SearchLag>;
  /** The calls that match all phrases, as seen by this transaction of the reader. */
  find(
    reader: Transaction<Tables>,
    tenantId: string,
    phrases: readonly Phrase[],
  ): Promise<SearchMatch[]>;
  close(): Promise<void>;
}
