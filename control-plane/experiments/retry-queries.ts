import type { Db } from '../storage/open.ts';
import type { Tx } from '../storage/transaction.ts';
import { valueList } from '../storage/value-list.ts';
import type { ExperimentKey } from './queries.ts';
import type { Attempt, StoredScore } from './run-queries.ts';

/** Whether an item has no output, or one of these evaluators has an error. */
export async function hasFailed(
  db: Db,
  { tenant_id, experiment_id }: ExperimentKey,
  evaluators: readonly string[],
): Promise<boolean> {
  const failed = await db
    .selectFrom('experiment_results')
    .select('item_id')
    .where('tenant_id', '=', tenant_id)
    .where('experiment_id', '=', experiment_id)
    .where('status', '!=', 'completed')
    .limit(1)
    .executeTakeFirst();
  if (failed) return true;
  const error = await db
    .selectFrom('experiment_scores')
    .select('item_id')
    .where('tenant_id', '=', tenant_id)
    .where('experiment_id', '=', experiment_id)
    .where('error', 'is not', null)
    .where('name', 'in', valueList(evaluators))
    .limit(1)
    .executeTakeFirst();
  return error !== undefined;
}

/**
 * Begins the next attempt of an experiment. Whichever process claims it runs what failed in earlier
 * attempts. A process that is still ending the previous attempt loses its lease. Returns false if
 * the experiment was deleted or is running.
 */
export async function beginAttempt(
  tx: Tx,
  { tenant_id, experiment_id }: ExperimentKey,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('experiments')
    .set((eb) => ({
      status: 'running',
      completed_at: null,
      lease_id: '',
      lease_until: 0,
      attempt: eb('attempt', '+', 1),
    }))
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', experiment_id)
    .where('status', '!=', 'running')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Lists the scores of these evaluators that failed in an earlier attempt, in the order of the
 * items.
 */
export const listFailedScores = (
  db: Db,
  { tenant_id, id, attempt }: Attempt,
  evaluators: readonly string[],
) =>
  db
    .selectFrom('experiment_scores as score')
    .innerJoin('experiment_results as result', (join) =>
      join
        .onRef('result.tenant_id', '=', 'score.tenant_id')
        .onRef('result.experiment_id', '=', 'score.experiment_id')
        .onRef('result.item_id', '=', 'score.item_id'),
    )
    .select(['score.item_id', 'score.name'])
    .where('score.tenant_id', '=', tenant_id)
    .where('score.experiment_id', '=', id)
    .where('score.error', 'is not', null)
    .where('score.attempt', '<', attempt)
    .where('score.name', 'in', valueList(evaluators))
    .orderBy('result.position')
    .execute();

export const findOutput = (db: Db, { tenant_id, id }: Attempt, itemId: string) =>
  db
    .selectFrom('experiment_results')
    .select(['input', 'expected_output', 'output'])
    .where('tenant_id', '=', tenant_id)
    .where('experiment_id', '=', id)
    .where('item_id', '=', itemId)
    .executeTakeFirst();

/**
 * Replaces scores that failed in an earlier attempt; nothing changes if there are none. Must be
 * called with the experiment locked.
 */
export async function replaceScores(
  tx: Tx,
  { tenant_id, id, attempt }: Attempt,
  itemId: string,
  { scores, cost }: { scores: readonly StoredScore[]; cost: number },
): Promise<void> {
  let replaced = 0n;
  for (const { name, ...score } of scores) {
    const { numUpdatedRows } = await tx.db
      .updateTable('experiment_scores')
      .set({ ...score, attempt })
      .where('tenant_id', '=', tenant_id)
      .where('experiment_id', '=', id)
      .where('item_id', '=', itemId)
      .where('name', '=', name)
      .where('attempt', '<', attempt)
      .executeTakeFirst();
    replaced += numUpdatedRows;
  }
  // A transaction whose commit was not confirmed is repeated, and then the cost is already stored.
  if (replaced === 0n) return;
  await tx.db
    .updateTable('experiment_results')
    .set((eb) => ({ evaluation_cost: eb('evaluation_cost', '+', cost) }))
    .where('tenant_id', '=', tenant_id)
    .where('experiment_id', '=', id)
    .where('item_id', '=', itemId)
    .execute();
}
