import type { Context } from '../context.ts';
import { sleep } from '../lib/background-job.ts';
import { INTERNAL_ERROR } from './item-errors.ts';
import { LEASE_MS } from './lease.ts';
import { failedItem, type ItemResult, withoutOutput } from './run-item.ts';
import { changeLeased, type Lease, lockLeased, storeResult } from './run-queries.ts';

const RETRY_MS = 2000;

/**
 * Tries again while the database is unavailable: what a model has answered is paid for, and another
 * answer could not be stored either. Once `gone` is aborted, it tries one last time.
 */
export async function untilAvailable<T>(
  { storage, log }: Context,
  gone: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    const isLast = gone.aborted;
    try {
      return await work();
    } catch (error) {
      if (isLast || !storage.isUnavailable(error)) throw error;
      if (failures === 0)
        log.error({ err: error }, 'an item of an experiment waits for the database');
      await sleep(RETRY_MS, gone);
    }
  }
}

/**
 * Stores the result of an item; false if the experiment is not to be run here any more. A result
 * that the database refuses would be asked for again and again: it becomes an error, with what it
 * cost unless that is what is refused.
 */
export async function storeItem(
  context: Context,
  { lease, gone }: { lease: Lease; gone: AbortSignal },
  itemId: string,
  result: ItemResult,
): Promise<boolean> {
  const { storage, log } = context;
  const storing = (stored: ItemResult): Promise<boolean> =>
    untilAvailable(context, gone, () =>
      storage.transaction(async (tx) => {
        const lease_until = context.now() + LEASE_MS;
        const isOurs = gone.aborted
          ? await lockLeased(tx, lease)
          : await changeLeased(tx, lease, { lease_until });
        if (isOurs) await storeResult(tx, lease, itemId, stored);
        return isOurs;
      }),
    );
  for (const stored of [result, withoutOutput(result, INTERNAL_ERROR)])
    try {
      return await storing(stored);
    } catch (error) {
      if (storage.isUnavailable(error)) throw error;
      log.error({ err: error }, `storing a result of experiment ${lease.id} failed`);
    }
  return storing(failedItem(context, INTERNAL_ERROR));
}
