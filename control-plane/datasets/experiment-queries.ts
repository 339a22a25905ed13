import type { Db } from '../storage/open.ts';
import type { Tx } from '../storage/transaction.ts';
import type { DatasetKey } from './queries.ts';

/** Deletes an experiment with its results; a process that runs it finds its lease lost. False if there is none. */
export async function deleteExperiment(
  tx: Tx,
  { tenant_id, experiment_id }: { tenant_id: string; experiment_id: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('experiments')
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', experiment_id)
    .executeTakeFirst();
  for (const table of ['experiment_results', 'experiment_scores'] as const)
    await tx.db
      .deleteFrom(table)
      .where('tenant_id', '=', tenant_id)
      .where('experiment_id', '=', experiment_id)
      .execute();
  return numDeletedRows > 0n;
}

export const listExperimentNames = (db: Db, { tenant_id, dataset_id }: DatasetKey) =>
  db
    .selectFrom('experiments')
    .select(['id', 'name'])
    .where('tenant_id', '=', tenant_id)
    .where('dataset_id', '=', dataset_id)
    .execute();
