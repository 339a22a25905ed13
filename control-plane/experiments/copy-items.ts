import { ApiError } from '#contract/errors.ts';
import type { Context } from '../context.ts';
import { postponeStart, type Start } from '../datasets/start-queries.ts';
import { copyItems } from './copy-queries.ts';

/** At most 10 MB: others wait while a portion is copied. */
export const ITEMS_PER_PORTION = 100;
/** A process that has not copied for this long has died: what it has copied is deleted. */
const PORTION_MS = 15_000;

/** Until when the first portion has to be copied. */
export const startEnd = (now: number): number => now + PORTION_MS;

export const startGivenUp = (): ApiError =>
  new ApiError(
    'invalid_state',
    'the experiment was not started: its dataset was deleted, or copying the items took too long',
  );

/**
 * Copies the items of a dataset before a position in portions, and returns how many. They do not
 * change meanwhile.
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
      if (!(await postponeStart(tx, start, startEnd(context.now())))) throw startGivenUp();
      const portion = { experiment_id: start.id, from, before, limit: ITEMS_PER_PORTION };
      return copyItems(tx, start, portion);
    });
    copied += positions.length;
    if (positions.length < ITEMS_PER_PORTION) return copied;
    from = Math.max(...positions) + 1;
  }
}
