import { countOf } from '../storage/bounded-count.ts';
import type { Db } from '../storage/open.ts';
import type { Tx } from '../storage/transaction.ts';

/** Identifies a dataset. */
interface OfDataset {
  tenant_id: string;
  dataset_id: string;
}

/** Identifies an experiment that is being started. Until it is complete, it is a pending deletion. */
export interface Start extends OfDataset {
  id: string;
}

export async function beginStart(tx: Tx, start: Start, due_at: number): Promise<void> {
  await tx.db
    .insertInto('pending_deletions')
    .values({ ...start, kind: 'experiment', due_at })
    .execute();
}

/** False if it was given up: its rows may have been deleted. */
export async function postponeStart(
  tx: Tx,
  { tenant_id, id }: Start,
  due_at: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('pending_deletions')
    .set({ due_at })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('due_at', '>', 0)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Its rows are kept from here on. False if it was given up. */
export async function endStart(tx: Tx, { tenant_id, id }: Start): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('pending_deletions')
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('due_at', '>', 0)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function giveUpStarts(tx: Tx, { tenant_id, dataset_id }: OfDataset): Promise<void> {
  await tx.db
    .updateTable('pending_deletions')
    .set({ due_at: 0 })
    .where('tenant_id', '=', tenant_id)
    .where('dataset_id', '=', dataset_id)
    .execute();
}

const startsOf = (db: Db, tenantId: string) =>
  db
    .selectFrom('pending_deletions')
    .where('tenant_id', '=', tenantId)
    .where('dataset_id', 'is not', null)
    .where('due_at', '>', 0);

/** How many experiments of a tenant are being started. */
export const countStarts = (db: Db, tenantId: string): Promise<number> =>
  countOf(startsOf(db, tenantId));

/** Are the items of a dataset being copied for an experiment? */
export const isBeingCopied = async (
  db: Db,
  { tenant_id, dataset_id }: OfDataset,
): Promise<boolean> =>
  (await countOf(startsOf(db, tenant_id).where('dataset_id', '=', dataset_id))) > 0;
