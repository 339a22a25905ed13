import { deleteRowsOf, deleteSelected } from '../storage/delete-rows.ts';
import { pendingDeletionsLock } from '../storage/locks.ts';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';

type PendingDeletion = Tables['pending_deletions'];

/**
 * Schedules the deletion of the rows of an object in batches. Its own row must be deleted in the
 * same transaction.
 */
export async function scheduleDeletion(
  tx: Tx,
  tenant_id: string,
  deleted: Pick<PendingDeletion, 'kind' | 'id'>,
): Promise<void> {
  await tx.db
    .insertInto('pending_deletions')
    .values({ ...deleted, tenant_id, due_at: 0, dataset_id: null })
    .execute();
}

/** Functions that delete the rows of each kind, beginning with rows that refer to others. */
const rowsOf = {
  dataset: [
    async (tx, { tenantId, id, limit }) => {
      const items = tx.db
        .selectFrom('dataset_items')
        .select('id')
        .where('tenant_id', '=', tenantId)
        .where('dataset_id', '=', id)
        .limit(limit);
      return (await deleteSelected(tx, 'dataset_items', tenantId, items)).length;
    },
  ],
  experiment: [
    (tx, of) =>
      deleteRowsOf(tx, 'experiment_scores', {
        ...of,
        column: 'experiment_id',
        key: ['item_id', 'name'],
      }),
    (tx, of) =>
      deleteRowsOf(tx, 'experiment_results', {
        ...of,
        column: 'experiment_id',
        key: ['item_id'],
      }),
  ],
  annotation_queue: [
    (tx, of) =>
      deleteRowsOf(tx, 'annotation_items', {
        ...of,
        column: 'queue_id',
        key: ['run_id'],
      }),
  ],
} satisfies Record<
  PendingDeletion['kind'],
  ((tx: Tx, of: { tenantId: string; id: string; limit: number }) => Promise<number>)[]
>;

const dueIn = (db: Db, now: number) =>
  db
    .selectFrom('pending_deletions')
    .select(['tenant_id', 'id', 'kind'])
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(1);

export const hasDueDeletions = async (db: Db, now: number): Promise<boolean> =>
  (await dueIn(db, now).executeTakeFirst()) !== undefined;

/** Deletes at most `limit` rows of an object that is due; returns false if none is. */
export async function deleteDueRows(tx: Tx, now: number, limit: number): Promise<boolean> {
  // Otherwise each of two processes could take the end of the other's batch for the last one.
  await tx.lock(pendingDeletionsLock);
  const due = await dueIn(tx.db, now).executeTakeFirst();
  if (!due) return false;
  const { tenant_id: tenantId, id, kind } = due;
  // Other due objects come next, so that each has its turn. An experiment whose start was too slow
  // cannot be continued from here on.
  const { numUpdatedRows } = await tx.db
    .updateTable('pending_deletions')
    .set({ due_at: now, dataset_id: null })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('due_at', '<=', now)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return true;
  let left = limit;
  for (const remove of rowsOf[kind]) {
    left -= await remove(tx, { tenantId, id, limit: left });
    if (left <= 0) return true;
  }
  await tx.db
    .deleteFrom('pending_deletions')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute();
  return true;
}
