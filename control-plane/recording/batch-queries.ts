import type { Transaction } from 'kysely';
import type { Bulk } from '../storage/bulk.ts';
import type { Tables } from '../storage/tables.ts';

export interface Batch {
  tenantId: string;
  batchId: string;
}

export const batchKey = ({ tenantId, batchId }: Batch): string => `${tenantId} ${batchId}`;

/** The fields of a run returned by its start. */
export interface StartedRun {
  id: number;
  workflow_id: number;
  started_at: number;
}

/** What was recorded under a batch id. */
export interface Recorded {
  kind: Tables['recording_batches']['kind'];
  run_id: number | null;
  item_count: number;
  /** Undefined if the run was deleted. */
  run: StartedRun | undefined;
}

/** The batches among these that were already recorded. */
export async function findBatches(
  { trx, bulk }: { trx: Transaction<Tables>; bulk: Bulk },
  batches: readonly Batch[],
): Promise<Map<string, Recorded>> {
  const recorded = new Map<string, Recorded>();
  for (const tenantId of new Set(batches.map((batch) => batch.tenantId))) {
    const ids = batches.filter((batch) => batch.tenantId === tenantId).map((one) => one.batchId);
    const rows = await trx
      .selectFrom('recording_batches as batches')
      .leftJoin('runs', (join) =>
        join.onRef('runs.tenant_id', '=', 'batches.tenant_id').onRef('runs.id', '=', 'run_id'),
      )
      .select(['batch_id', 'kind', 'run_id', 'item_count', 'runs.id', 'workflow_id', 'started_at'])
      .where('batches.tenant_id', '=', tenantId)
      .where('batch_id', 'in', bulk.list(ids))
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
export async function deleteOldBatches(
  trx: Transaction<Tables>,
  tenantId: string,
  before: number,
  most: number,
): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('recording_batches')
    .where('tenant_id', '=', tenantId)
    .where('batch_id', 'in', (eb) =>
      eb
        .selectFrom('recording_batches')
        .select('batch_id')
        .where('tenant_id', '=', tenantId)
        .where('created_at', '<', before)
        .limit(most),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
