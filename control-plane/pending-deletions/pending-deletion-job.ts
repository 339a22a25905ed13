import type { Context } from '../context.ts';
import { repeatWithPauses, runEvery } from '../lib/background-job.ts';
import { deleteDueRows, hasDueDeletions } from './queries.ts';

const LOOK_EVERY_MS = 2000;
/**
 * The number of rows per step. Rows of a dataset may be long, and others wait while a batch is
 * deleted.
 */
export const ROWS_PER_STEP = 100;
/** The pause between steps, so that recording has the database most of the time. */
const STEP_PAUSE_MS = 25;

/**
 * Deletes the rows of deleted datasets, experiments and annotation queues in batches. After a
 * crash the next process continues. The returned function stops the job, even in the middle.
 */
export function startPendingDeletionJob(context: Context): () => Promise<void> {
  const { storage, log } = context;
  const step = async (): Promise<boolean> =>
    (await hasDueDeletions(storage.db, context.now())) &&
    storage.transaction((tx) => deleteDueRows(tx, context.now(), ROWS_PER_STEP));
  return runEvery((stopping) => repeatWithPauses(step, STEP_PAUSE_MS, stopping), {
    everyMs: LOOK_EVERY_MS,
    onError: (err) => log.error({ err }, 'deleting rows in batches failed'),
    trigger: (wake) =>
      storage.signals.subscribe(({ topic }) => {
        if (topic === 'experiments') wake();
      }),
  });
}
