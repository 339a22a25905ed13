import type { GivenScore, ScoreConfig } from '#contract/annotation-queues.ts';
import type { Context } from '../context.ts';
import type { SessionCaller } from '../http/caller.ts';
import { findRuns, type NewScore, type Recording } from '../recording/queries.ts';
import { runRecording } from '../recording/recording-transaction.ts';
import { addTelemetry } from '../recording/telemetry-queries.ts';
import { valueColumns } from '../scores/rules.ts';
import type { Storage } from '../storage/open.ts';
import type { Tx } from '../storage/transaction.ts';
import { countScores, type RunRef } from '../usage/count.ts';
import { valueList } from '../storage/value-list.ts';
import type { ItemKey } from './item-queries.ts';
import type { StoredQueue } from './queue-queries.ts';
import { itemNotFound } from './queue-views.ts';

interface Review {
  queue: Pick<StoredQueue, 'id' | 'name'>;
  caller: SessionCaller;
  configs: readonly ScoreConfig[];
  /** Already masked. */
  comment: string | null;
}

/** Prepares ordinary scores of the run, whose author is the reviewer. */
export function prepareScores(
  context: Pick<Context, 'newId' | 'now'>,
  { queue, caller, configs, comment }: Review,
  given: readonly GivenScore[],
): NewScore[] {
  const created_at = context.now();
  const metadata = JSON.stringify({ annotation_queue_id: queue.id, annotation_queue: queue.name });
  return configs.flatMap(({ name, data_type }) => {
    const score = given.find((one) => one.name === name);
    if (!score) return [];
    return {
      id: context.newId('scr'),
      name,
      data_type,
      source: 'manual' as const,
      ...valueColumns({ data_type, value: score.value }),
      comment,
      metadata,
      author_user_id: caller.userId,
      evaluator_id: null,
      evaluator_name: null,
      llm_call_id: null,
      llm_call_model: null,
      created_at,
    };
  });
}

interface Scores {
  scores: readonly NewScore[];
  /** The ids of the scores that the item had before it was reopened. */
  replaced: readonly string[];
}

/**
 * Locks the run of an item before the item, in the same order as when runs are deleted.
 *
 * @throws ApiError `not_found` if it was deleted in the meantime
 */
export async function lockRun(tx: Tx, key: ItemKey): Promise<RunRef> {
  const run = (await findRuns(tx, key.tenant_id, [key.run_id])).get(key.run_id);
  if (!run) throw itemNotFound(key);
  return run;
}

/** Stores scores, and counts them in the totals, whose locks come last. */
export const storeScores = (
  tx: Tx,
  storage: Pick<Storage, 'search'>,
  run: RunRef,
  { scores, replaced }: Scores,
): Promise<void> =>
  runRecording(tx, storage, async (recording) => {
    await removeScores(recording, run, replaced);
    await addTelemetry(recording, [{ run, scores }]);
  });

async function removeScores(
  recording: Recording,
  run: RunRef,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const rows = await recording.db
    .deleteFrom('scores')
    .where('tenant_id', '=', run.tenant_id)
    .where('run_id', '=', run.id)
    .where('id', 'in', valueList(ids))
    .returning(['name', 'data_type', 'source', 'numeric_value', 'string_value', 'created_at'])
    .execute();
  countScores(recording.tally, run, rows, -1);
  recording.emptiesTotals = true;
}
