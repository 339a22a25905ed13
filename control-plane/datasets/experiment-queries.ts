import { deleteLater } from '../deletions/queries.ts';
import type { Db } from '../storage/open.ts';
import type { Tx } from '../storage/transaction.ts';
import type { DatasetKey } from './queries.ts';

/**
 * Deletes an experiment, and later its results; a process that runs it finds its lease lost. False if
 * there is none.
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
  await deleteLater(tx, tenant_id, { kind: 'experiment', id: experiment_id });
  return true;
}

export const listExperimentNames = (db: Db, { tenant_id, dataset_id }: DatasetKey) =>
  db
    .selectFrom('experiments')
    .select(['id', 'name'])
    .where('tenant_id', '=', tenant_id)
    .where('dataset_id', '=', dataset_id)
    .execute();
