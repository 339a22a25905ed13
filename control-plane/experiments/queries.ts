import { type Insertable, sql } from 'kysely';
import type { DatasetKey } from '../datasets/queries.ts';
import { countOf } from '../storage/bounded-count.ts';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';
import { valueList } from '../storage/value-list.ts';

export interface ExperimentKey {
  tenant_id: string;
  experiment_id: string;
}

interface Paging {
  limit: number;
  offset: number;
}

const listed = [
  'id',
  'dataset_id',
  'name',
  'status',
  'prompt_id',
  'prompt_name',
  'prompt_version',
  'model',
  'evaluators',
  'created_by',
  'created_at',
  'completed_at',
] as const;

const ofDataset = (db: Db, { tenant_id, dataset_id }: DatasetKey) =>
  db
    .selectFrom('experiments')
    .where('tenant_id', '=', tenant_id)
    .where('dataset_id', '=', dataset_id);

const newest = (db: Db, key: DatasetKey, { limit, offset }: Paging) =>
  ofDataset(db, key)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset);

/** Returns one page of experiments, newest first, and their number. */
export async function listExperiments(db: Db, key: DatasetKey, paging: Paging) {
  const rows = await newest(db, key, paging).select(listed).execute();
  return { rows, count: await countOf(ofDataset(db, key)) };
}
export type ListedRow = Awaited<ReturnType<typeof listExperiments>>['rows'][number];

/** Lists experiments like `listExperiments`, but only with id and name. */
export async function listNames(db: Db, key: DatasetKey, paging: Paging) {
  const rows = await newest(db, key, paging).select(['id', 'name']).execute();
  return { rows, count: await countOf(ofDataset(db, key)) };
}

export const findName = (db: Db, key: DatasetKey, id: string) =>
  ofDataset(db, key).select(['id', 'name']).where('id', '=', id).executeTakeFirst();

export const findExperiment = (db: Db, key: DatasetKey, id: string) =>
  ofDataset(db, key)
    .select([...listed, 'content', 'config', 'concurrency'])
    .where('id', '=', id)
    .executeTakeFirst();

/** Finds the facts that decide whether an experiment can be retried. */
export const findPlan = (db: Db, key: DatasetKey, id: string) =>
  ofDataset(db, key)
    .select(['name', 'status', 'evaluators', 'lease_until'])
    .where('id', '=', id)
    .executeTakeFirst();

export const countRunning = (db: Db, tenantId: string): Promise<number> =>
  countOf(
    db
      .selectFrom('experiments')
      .where('tenant_id', '=', tenantId)
      .where('status', '=', sql.lit('running')),
  );

export async function insertExperiment(
  tx: Tx,
  experiment: Insertable<Tables['experiments']>,
): Promise<void> {
  await tx.db.insertInto('experiments').values(experiment).execute();
}

/** Cancels an experiment. Returns false if it is no longer running. */
export async function cancelExperiment(
  tx: Tx,
  { tenant_id, experiment_id }: ExperimentKey,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('experiments')
    .set({ status: 'cancelled', completed_at: now })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', experiment_id)
    .where('status', '=', 'running')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Sums the results of these experiments. */
export function sumResults(db: Db, tenantId: string, ids: readonly string[]) {
  const counted = (status: 'completed' | 'failed') =>
    sql<number>`sum(case when status = ${sql.lit(status)} then 1 else 0 end)`;
  return db
    .selectFrom('experiment_results')
    .select(({ fn }) => [
      'experiment_id',
      fn.countAll<number>().as('item_count'),
      counted('completed').as('completed_count'),
      counted('failed').as('failed_count'),
      sql<number | null>`avg(case when status = 'completed' then latency_ms end)`.as(
        'avg_latency_ms',
      ),
      fn.sum<number>('tokens_in').as('tokens_in'),
      fn.sum<number>('tokens_out').as('tokens_out'),
      fn.sum<number>('cost').as('cost'),
      fn.sum<number>('evaluation_cost').as('evaluation_cost'),
    ])
    .where('tenant_id', '=', tenantId)
    .where('experiment_id', 'in', valueList(ids))
    .groupBy('experiment_id')
    .execute();
}
export type ResultSums = Awaited<ReturnType<typeof sumResults>>[number];

/** Averages the scores of these experiments, by evaluator. */
export function averageScores(db: Db, tenantId: string, ids: readonly string[]) {
  return db
    .selectFrom('experiment_scores')
    .select(({ fn }) => [
      'experiment_id',
      'name',
      fn.count<number>('value').as('count'),
      fn.avg<number | null>('value').as('avg'),
      fn.count<number>('error').as('error_count'),
    ])
    .where('tenant_id', '=', tenantId)
    .where('experiment_id', 'in', valueList(ids))
    .groupBy(['experiment_id', 'name'])
    .execute();
}
export type ScoreAverages = Awaited<ReturnType<typeof averageScores>>[number];
