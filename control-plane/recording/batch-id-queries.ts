import { deleteOlder } from '../storage/delete-rows.ts';
import type { Tables } from '../storage/tables.ts';
import { valueList } from '../storage/value-list.ts';
import type { Tx } from '../storage/transaction.ts';

export interface Batch {
  tenantId: string;
  batchId: string;
}

export const batchKey = ({ tenantId, batchId }: Batch): string => `${tenantId} ${batchId}`;

/** The fields of a run that starting it returns. */
export interface StartedRun {
  id: number;
  workflow_id: number;
  started_at: number;
}

/** A batch that was recorded under a batch id. */
export interface Recorded {
  kind: Tables['recording_batches']['kind'];
  run_id: number | null;
  item_count: number;
  /** Undefined if the run was deleted. */
  run: StartedRun | undefined;
}

/** Finds those of these batches that were already recorded. */
export async function findBatches(
  tx: Tx,
  batches: readonly Batch[],
): Promise<Map<string, Recorded>> {
  const recorded = new Map<string, Recorded>();
  for (const tenantId of new Set(batches.map((batch) => batch.tenantId))) {
    const ids = batches.filter((batch) => batch.tenantId === tenantId).map((one) => one.batchId);
    const rows = await tx.db
      .selectFrom('recording_batches as batches')
      .leftJoin('runs', (join) =>
        join.onRef('runs.tenant_id', '=', 'batches.tenant_id').onRef('runs.id', '=', 'run_id'),
      )
      .select(['batch_id', 'kind', 'run_id', 'item_count', 'runs.id', 'workflow_id', 'started_at'])
      .where('batches.tenant_id', '=', tenantId)
      .where('batch_id', 'in', valueList(ids))
      .execute();
    for (const { batch_id, id, workflow_id, started_at, ...batch } of rows)
      recorded.set(batchKey({ tenantId, batchId: batch_id }), {
        ...batch,
        run:
          id === null || workflow_id === null || started_at === null
            ? undefined
            : { id, workflow_id, started_at },
      });
  }
  return recorded;
}

/** Deletes old batches, which clients no longer retry. Returns the number of deleted rows. */
export const deleteOldBatches = (
  tx: Tx,
  tenantId: string,
  before: number,
  limit: number,
): Promise<number> =>
  deleteOlder(tx, 'recording_batches', {
    tenantId,
    key: ['batch_id'],
    column: 'created_at',
    before,
    limit,
  });
