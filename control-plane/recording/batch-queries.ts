import type { Transaction } from 'kysely';
import type { Bulk } from '../storage/bulk.ts';
import type { Tables } from '../storage/tables.ts';

export interface Batch {
  tenantId: string;
  batchId: string;
}

export const batchKey = ({ tenantId, batchId }: Batch): string => `${tenantId} ${batchId}`;

/** A run as its start is answered. */
export interface StartedRun {
  id: number;
  workflow_id: number;
  started_at: number;
}

/** What was recorded under an id. */
export interface Recorded {
  kind: Tables['recording_batches']['kind'];
  run_id: number | null;
  item_count: number;
  /** As long as the run is there. */
  run: StartedRun | undefined;
}

/** Which of these batches were recorded already. */
export async function findBatches(
  { trx, bulk }: { trx: Transaction<Tables>; bulk: Bulk },
  batches: readonly Batch[],
): Promise<Map<string, Recorded>> {
  const found = new Map<string, Recorded>();
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
    for (const { batch_id, id, workflow_id, started_at, ...recorded } of rows)
      found.set(batchKey({ tenantId, batchId: batch_id }), {
        ...recorded,
        run:
          id === null || workflow_id === null || started_at === null
            ? undefined
            : { id, workflow_id, started_at },
      });
  }
  return found;
}

/** Forgets batches that nobody sends again. Answers how many went. */
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
