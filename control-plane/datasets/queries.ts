import { type Expression, type ExpressionBuilder, type Insertable, sql } from 'kysely';
import { scheduleDeletion } from '../pending-deletions/queries.ts';
import { countOf } from '../storage/bounded-count.ts';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';
import { abandonStarts } from './start-queries.ts';

/** Identifies a dataset. Every query of its parts filters by both columns. */
export interface DatasetKey {
  tenant_id: string;
  dataset_id: string;
}

interface Paging {
  limit: number;
  offset: number;
}

const columns = ['id', 'name', 'description', 'created_by', 'created_at', 'updated_at'] as const;

/** Selects datasets of a tenant with the numbers of their items and experiments. */
const withCounts = (db: Db, tenantId: string) =>
  db
    .selectFrom('datasets')
    .select(columns)
    .select((eb) => [
      itemsOf(eb, 'is').as('item_count'),
      itemsOf(eb, 'is not').as('archived_count'),
      counted(
        eb
          .selectFrom('experiments')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .whereRef('experiments.tenant_id', '=', 'datasets.tenant_id')
          .whereRef('experiments.dataset_id', '=', 'datasets.id'),
      ).as('experiment_count'),
    ])
    .where('tenant_id', '=', tenantId);

const itemsOf = (eb: ExpressionBuilder<Tables, 'datasets'>, archived: 'is' | 'is not') =>
  counted(
    eb
      .selectFrom('dataset_items')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .whereRef('dataset_items.tenant_id', '=', 'datasets.tenant_id')
      .whereRef('dataset_items.dataset_id', '=', 'datasets.id')
      .where('archived_at', archived, null),
  );

/** Returns the value of a counting query, which always has a row. */
const counted = (query: Expression<{ count: number }>) => sql<number>`${query}`;

/** Returns one page of datasets, last changed first, and their number. */
export async function listDatasets(db: Db, tenantId: string, { limit, offset }: Paging) {
  const rows = await withCounts(db, tenantId)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  const all = db.selectFrom('datasets').where('tenant_id', '=', tenantId);
  return { rows, count: await countOf(all) };
}

export const findDataset = (db: Db, { tenant_id, dataset_id }: DatasetKey) =>
  withCounts(db, tenant_id).where('id', '=', dataset_id).executeTakeFirst();

export async function insertDataset(tx: Tx, dataset: Insertable<Tables['datasets']>) {
  await tx.db.insertInto('datasets').values(dataset).execute();
}

type DatasetChange = Partial<Pick<Tables['datasets'], 'name' | 'description'>>;

/** Updates and locks a dataset; returns false if it does not exist. */
export async function changeDataset(
  tx: Tx,
  { tenant_id, dataset_id }: DatasetKey,
  now: number,
  change: DatasetChange = {},
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('datasets')
    .set({ ...change, updated_at: now })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', dataset_id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Deletes a dataset, and schedules the deletion of its items. An experiment that is being started
 * from it is given up. Its experiments must be deleted before. Returns false if it does not exist.
 */
export async function deleteDataset(
  tx: Tx,
  { tenant_id, dataset_id }: DatasetKey,
): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('datasets')
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', dataset_id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  await abandonStarts(tx, { tenant_id, dataset_id });
  await scheduleDeletion(tx, tenant_id, { kind: 'dataset', id: dataset_id });
  return true;
}

/**
 * Deletes an experiment, and schedules the deletion of its results. A process that runs it loses
 * its lease. Returns false if it does not exist.
 */
export async function deleteExperiment(
  tx: Tx,
  { tenant_id, experiment_id }: { tenant_id: string; experiment_id: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('experiments')
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', experiment_id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  await scheduleDeletion(tx, tenant_id, { kind: 'experiment', id: experiment_id });
  return true;
}

export const listExperimentNames = (db: Db, { tenant_id, dataset_id }: DatasetKey) =>
  db
    .selectFrom('experiments')
    .select(['id', 'name'])
    .where('tenant_id', '=', tenant_id)
    .where('dataset_id', '=', dataset_id)
    .execute();
