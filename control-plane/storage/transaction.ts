import type { Kysely, Transaction } from 'kysely';
import type { Bulk } from './bulk.ts';
import type { LockName } from './locks.ts';
import type { Tables } from './tables.ts';

/** An open transaction, which is the first parameter of every function that writes. */
export interface Tx {
  db: Transaction<Tables>;
  bulk: Bulk;
  /**
   * Waits for these locks and holds them until the transaction ends. Several are taken in the order
   * of their names, which prevents deadlocks.
   */
  lock(...names: readonly LockName[]): Promise<void>;
}

/** The database-specific parts of a transaction. */
export interface TransactionDialect {
  /** Creates the bulk statements of a transaction. */
  bulkOf(trx: Transaction<Tables>): Bulk;
  /** Implements `lock` of a transaction. */
  lock(trx: Transaction<Tables>, ...names: readonly LockName[]): Promise<void>;
}

/** Runs `work` in a transaction, which is rolled back if it throws. */
export type RunTransaction = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

export const transactionsOf =
  (db: Kysely<Tables>, dialect: TransactionDialect): RunTransaction =>
  (work) =>
    db.transaction().execute((trx) =>
      work({
        db: trx,
        bulk: dialect.bulkOf(trx),
        lock: (...names) => dialect.lock(trx, ...names),
      }),
    );
