import { ApiError } from '#contract/errors.ts';
import type { Context } from '../context.ts';
import { abandonStart, extendStart, type Start } from '../datasets/start-queries.ts';
import { announce } from './announce.ts';
import { copyItems } from './copy-queries.ts';

/**
 * The items of a batch have at most 10 MB, because other writers wait while a batch is copied.
 */
export const ITEMS_PER_BATCH = 100;
/**
 * The time after which a process that has not copied is considered dead. What it has copied is then
 * deleted.
 */
const BATCH_MS = 15_000;

/** Returns the time by which the first batch must be copied. */
export const copyDeadline = (now: number): number => now + BATCH_MS;

export const startAbandoned = (): ApiError =>
  new ApiError(
    'invalid_state',
    'the experiment was not started: its dataset was deleted, or copying the items took too long',
  );

/**
 * Copies the items of a dataset before a position in batches, and returns their number. The items
 * do not change in the meantime.
 *
 * @throws ApiError `invalid_state` if the start was abandoned
 */
export async function copyItemsInBatches(
  context: Pick<Context, 'now' | 'storage'>,
  start: Start,
  before: number,
): Promise<number> {
  let copied = 0;
  for (let from = 0; ;) {
    const positions = await context.storage.transaction(async (tx) => {
      const now = context.now();
      if (!(await extendStart(tx, start, { now, due_at: copyDeadline(now) })))
        throw startAbandoned();
      const batch = { experiment_id: start.id, from, before, limit: ITEMS_PER_BATCH };
      return copyItems(tx, start, batch);
    });
    copied += positions.length;
    if (positions.length < ITEMS_PER_BATCH) return copied;
    from = Math.max(...positions) + 1;
  }
}

/**
 * Does the remaining work of a start. If it fails, the start is abandoned at once, so that its
 * dataset can be changed and another experiment can start.
 */
export async function completeOrAbandon<T>(
  { storage, log }: Pick<Context, 'storage' | 'log'>,
  start: Start,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    try {
      await storage.transaction((tx) => abandonStart(tx, start));
      announce(storage, start.tenant_id);
    } catch (error_) {
      // The start expires by itself, and the client gets the first error.
      log.error({ err: error_ }, `cancelling the start of experiment ${start.id} failed`);
    }
    throw error;
  }
}
