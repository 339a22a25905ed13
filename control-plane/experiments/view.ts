import type { z } from 'zod';
import type { Evaluator, EvaluatorScore } from '#contract/evaluators.ts';
import { type experimentRoutes } from '#contract/experiments.ts';
import { ApiError } from '#contract/errors.ts';
import type { DatasetKey } from '../datasets/queries.ts';
import { roundedCost } from '../llm-calls/rules.ts';
import type { Db } from '../storage/open.ts';
import {
  averageScores,
  findExperiment,
  findName,
  findPlan,
  type ListedRow,
  type ResultSums,
  type ScoreAverages,
  sumResults,
} from './queries.ts';
import { listScores } from './result-queries.ts';

type Listed = z.output<(typeof experimentRoutes)['listExperiments']['response']>['results'][number];

/** Adds progress and averages to experiments. */
export async function withTotals<R extends ListedRow>(
  db: Db,
  tenantId: string,
  rows: readonly R[],
): Promise<(R & Listed)[]> {
  const ids = rows.map(({ id }) => id);
  const sums = new Map(
    (await sumResults(db, tenantId, ids)).map((sum) => [sum.experiment_id, sum]),
  );
  const averages = Map.groupBy(
    await averageScores(db, tenantId, ids),
    ({ experiment_id }) => experiment_id,
  );
  return rows.map((row) => ({
    ...row,
    ...totalsOf(sums.get(row.id)),
    scores: scoresOf(row, averages.get(row.id) ?? []),
  }));
}

const noResults = {
  item_count: 0,
  completed_count: 0,
  failed_count: 0,
  avg_latency_ms: null,
  tokens_in: 0,
  tokens_out: 0,
  cost: 0,
  evaluation_cost: 0,
};

function totalsOf(sums: Omit<ResultSums, 'experiment_id'> = noResults) {
  const { item_count, completed_count, failed_count, avg_latency_ms } = sums;
  return {
    item_count,
    completed_count,
    failed_count,
    avg_latency_ms,
    tokens_in: sums.tokens_in,
    tokens_out: sums.tokens_out,
    cost: roundedCost(sums.cost),
    evaluation_cost: roundedCost(sums.evaluation_cost),
  };
}

const scoresOf = ({ evaluators }: ListedRow, averages: readonly ScoreAverages[]) =>
  (JSON.parse(evaluators) as Evaluator[]).map(({ name }) => {
    const found = averages.find((one) => one.name === name);
    const { count = 0, avg = null, error_count = 0 } = found ?? {};
    return { name, count, avg, error_count };
  });

export const experimentNotFound = (id: string): ApiError =>
  new ApiError('not_found', `the dataset has no experiment ${id}`);

/**
 * Returns the id and name of an experiment, without totals, which would read all results.
 *
 * @throws ApiError `not_found`
 */
export async function requireName(db: Db, key: DatasetKey, id: string) {
  const row = await findName(db, key, id);
  if (!row) throw experimentNotFound(id);
  return row;
}

/**
 * Returns the facts that decide whether an experiment can be retried.
 *
 * @throws ApiError `not_found`
 */
export async function requirePlan(db: Db, key: DatasetKey, id: string) {
  const row = await findPlan(db, key, id);
  if (!row) throw experimentNotFound(id);
  return { ...row, evaluators: JSON.parse(row.evaluators) as Evaluator[] };
}

/**
 * Returns one experiment in full.
 *
 * @throws ApiError `not_found`
 */
export async function requireExperiment(db: Db, key: DatasetKey, id: string) {
  const row = await findExperiment(db, key, id);
  if (!row) throw experimentNotFound(id);
  const [experiment] = await withTotals(db, key.tenant_id, [row]);
  return experiment as NonNullable<typeof experiment>;
}

/** Adds the scores of the evaluators to results, by name. */
export async function withScores<R extends { item_id: string }>(
  db: Db,
  key: { tenant_id: string; experiment_id: string },
  rows: readonly R[],
): Promise<(R & { scores: EvaluatorScore[] })[]> {
  const ids = rows.map(({ item_id }) => item_id);
  const scores = Map.groupBy(await listScores(db, key, ids), ({ item_id }) => item_id);
  return rows.map((row) => ({
    ...row,
    scores: (scores.get(row.item_id) ?? [])
      .map(({ item_id: _item, passed, ...score }) => ({
        ...score,
        passed: passed === null ? null : passed === 1,
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  }));
}
