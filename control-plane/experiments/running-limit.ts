import { ApiError } from '#contract/errors.ts';
import { MAX_RUNNING } from '#contract/experiments.ts';
import { countStarts } from '../datasets/start-queries.ts';
import type { Db } from '../storage/open.ts';
import { countRunning } from './queries.ts';

/**
 * Checks that a tenant can start another experiment. Must be called with the lock of the tenant's
 * experiments.
 *
 * @throws ApiError `in_progress` if the tenant already has the maximum number of experiments that
 * run or are being started
 */
export async function requireRunningSlot(db: Db, tenantId: string, now: number): Promise<void> {
  // This order counts an experiment that has started in between twice rather than not at all.
  const starting = await countStarts(db, tenantId, now);
  if (starting + (await countRunning(db, tenantId)) >= MAX_RUNNING)
    throw new ApiError(
      'in_progress',
      `${MAX_RUNNING} experiments are running or being started: wait until one is completed, or cancel one`,
    );
}
