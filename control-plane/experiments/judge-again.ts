import type { ItemInput } from '#contract/datasets.ts';
import type { Context } from '../context.ts';
import { evaluateAll, type Evaluation, INTERRUPTED } from './evaluate.ts';
import { evaluatorError } from './evaluator-rules.ts';
import { INTERNAL_ERROR } from './item-errors.ts';
import { judgesOf } from './judge-rules.ts';
import { findOutput, listFailedScores, replaceScores } from './retry-queries.ts';
import type { Plan } from './run-item.ts';
import type { Attempt, StoredScore } from './run-queries.ts';
import { type LeasedExperiment, retryWhileUnavailable, whileLeased } from './store-item.ts';

/** Returns the judges that failed in an earlier attempt, by item. */
export async function findFailedJudges(
  { storage }: Context,
  attempt: Attempt,
  { evaluators }: Plan,
): Promise<[itemId: string, judges: string[]][]> {
  const judges = judgesOf(evaluators);
  // There is no attempt before the first one.
  if (attempt.attempt === 1 || judges.length === 0) return [];
  const rows = await listFailedScores(storage.db, attempt, judges);
  const byItem = Map.groupBy(rows, ({ item_id }) => item_id);
  return [...byItem].map(([itemId, scores]) => [itemId, scores.map(({ name }) => name)]);
}

interface Judging extends LeasedExperiment {
  plan: Plan;
}

/**
 * Judges an output again. Returns false if this process must no longer run the experiment.
 * Interrupted judges keep their error, and judge again when the experiment continues.
 */
export async function judgeAgain(
  context: Context,
  { lease, signal, plan }: Judging,
  itemId: string,
  judges: readonly string[],
): Promise<boolean> {
  const row = await retryWhileUnavailable(context, signal, () =>
    findOutput(context.storage.db, lease, itemId),
  );
  if (!row) return true;
  const { input, expected_output, output } = row;
  const judged = {
    input: JSON.parse(input) as ItemInput,
    expected: expected_output === null ? undefined : (JSON.parse(expected_output) as unknown),
    output,
  };
  const requester = { tenantId: lease.tenant_id, signal };
  const evaluators = plan.evaluators.filter(({ name }) => judges.includes(name));
  const evaluations = await evaluateAll(context, evaluators, judged, requester);
  const finished = evaluations.filter(({ score }) => score.error !== INTERRUPTED);
  return finished.length === 0 || store(context, { lease, signal }, itemId, finished);
}

/**
 * Stores the evaluations. Scores that the database refuses become errors, because they would
 * otherwise be judged again and again.
 */
async function store(
  context: Context,
  leased: LeasedExperiment,
  itemId: string,
  evaluations: readonly Evaluation[],
): Promise<boolean> {
  const { storage, log } = context;
  const cost = evaluations.reduce((sum, evaluation) => sum + evaluation.cost, 0);
  const replace = (scores: readonly StoredScore[]): Promise<boolean> =>
    whileLeased(context, leased, (tx) => replaceScores(tx, leased.lease, itemId, { scores, cost }));
  try {
    return await replace(evaluations.map(({ score }) => score));
  } catch (error) {
    if (storage.isUnavailable(error)) throw error;
    log.error({ err: error }, `storing scores of experiment ${leased.lease.id} failed`);
    const failed = { ...evaluatorError(INTERNAL_ERROR), passed: null };
    return replace(evaluations.map(({ score: { name } }) => ({ ...failed, name })));
  }
}
