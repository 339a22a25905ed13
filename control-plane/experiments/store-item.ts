import type { Context } from '../context.ts';
import { sleep } from '../lib/background-job.ts';
import type { Tx } from '../storage/transaction.ts';
import { INTERNAL_ERROR } from './item-errors.ts';
import { LEASE_MS } from './lease.ts';
import { failedItem, type ItemResult, withoutOutput } from './run-item.ts';
import { type Attempt, changeLeased, lockLeased, storeResult } from './run-queries.ts';

const RETRY_MS = 2000;

/**
 * Retries while the database is unavailable, because the answer of a model is paid for, and another
 * answer could not be stored either. Once `signal` is aborted, it tries one last time.
 */
export async function retryWhileUnavailable<T>(
  { storage, log }: Context,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    const isLast = signal.aborted;
    try {
      return await work();
    } catch (error) {
      if (isLast || !storage.isUnavailable(error)) throw error;
      if (failures === 0)
        log.error({ err: error }, 'an experiment item is waiting for the database');
      await sleep(RETRY_MS, signal);
    }
  }
}

export interface LeasedExperiment {
  lease: Attempt;
  /** Aborted when this process must no longer run the experiment. */
  signal: AbortSignal;
}

/**
 * Writes in a transaction that checks and renews the lease. Returns false if another process has
 * taken over, or if the experiment was deleted or cancelled. A cancellation is ignored once `signal`
 * is aborted.
 */
export function whileLeased(
  context: Context,
  { lease, signal }: LeasedExperiment,
  write: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  return retryWhileUnavailable(context, signal, () =>
    context.storage.transaction(async (tx) => {
      const lease_until = context.now() + LEASE_MS;
      const isOurs = signal.aborted
        ? await lockLeased(tx, lease)
        : await changeLeased(tx, lease, { lease_until });
      if (isOurs) await write(tx);
      return isOurs;
    }),
  );
}

/**
 * Stores the result of an item. Returns false if this process must no longer run the experiment. A
 * result that the database refuses becomes an error, because the model would otherwise be called
 * again and again. The error keeps the cost unless the database refuses that too.
 */
export async function storeItem(
  context: Context,
  running: LeasedExperiment,
  itemId: string,
  result: ItemResult,
): Promise<boolean> {
  const { storage, log } = context;
  const { lease } = running;
  const storing = (stored: ItemResult): Promise<boolean> =>
    whileLeased(context, running, (tx) => storeResult(tx, lease, itemId, stored));
  for (const stored of [result, withoutOutput(result, INTERNAL_ERROR)])
    try {
      return await storing(stored);
    } catch (error) {
      if (storage.isUnavailable(error)) throw error;
      log.error({ err: error }, `storing a result of experiment ${lease.id} failed`);
    }
  return storing(failedItem(context, INTERNAL_ERROR));
}
