import { ApiError } from '#contract/errors.ts';
import type { Context } from '../context.ts';
import { giveUpStart, postponeStart, type Start } from '../datasets/start-queries.ts';
import { announce } from './announce.ts';
import { copyItems } from './copy-queries.ts';

/**
 * The items of a portion have at most 10 MB, because other writers wait while a portion is copied.
 */
export const ITEMS_PER_PORTION = 100;
/**
 * The time after which a process that has not copied is considered dead. What it has copied is then
 * deleted.
 */
const PORTION_MS = 15_000;

/** Returns the time by which the first portion must be copied. */
export const startEnd = (now: number): number => now + PORTION_MS;

export const startGivenUp = (): ApiError =>
  new ApiError(
    'invalid_state',
    'the experiment was not started: its dataset was deleted, or copying the items took too long',
  );

/**
 * Copies the items of a dataset before a position in portions, and returns their number. The items
 * do not change in the meantime.
 *
 * @throws ApiError `invalid_state` if the start was given up
 */
export async function copyInPortions(
  context: Pick<Context, 'now' | 'storage'>,
  start: Start,
  before: number,
): Promise<number> {
  let copied = 0;
  for (let from = 0; ;) {
    const positions = await context.storage.transaction(async (tx) => {
      const now = context.now();
      if (!(await postponeStart(tx, start, { now, due_at: startEnd(now) }))) throw startGivenUp();
      const portion = { experiment_id: start.id, from, before, limit: ITEMS_PER_PORTION };
      return copyItems(tx, start, portion);
    });
    copied += positions.length;
    if (positions.length < ITEMS_PER_PORTION) return copied;
    from = Math.max(...positions) + 1;
  }
}

/**
 * Does the remaining work of a start. If it fails, the start is given up at once, so that its
 * dataset can be changed and another experiment can start.
 */
export async function completeOrGiveUp<T>(
  { storage, log }: Pick<Context, 'storage' | 'log'>,
  start: Start,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    try {
      await storage.transaction((tx) => giveUpStart(tx, start));
      announce(storage, start.tenant_id);
    } catch (error_) {
      // The start expires by itself, and the client gets the first error.
      log.error({ err: error_ }, `cancelling the start of experiment ${start.id} failed`);
    }
    throw error;
  }
}
