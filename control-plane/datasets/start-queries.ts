import type { ExpressionBuilder } from 'kysely';
import { countOf } from '../storage/bounded-count.ts';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';

/** Identifies a dataset. */
interface OfDataset {
  tenant_id: string;
  dataset_id: string;
}

/**
 * Identifies an experiment that is being started. Until it is complete, it is a pending deletion.
 */
export interface Start extends OfDataset {
  id: string;
}

/** Selects a start, which no longer exists once it was abandoned or the experiment is complete. */
const isStart =
  ({ tenant_id, id }: Start) =>
  (eb: ExpressionBuilder<Tables, 'pending_deletions'>) =>
    eb.and([eb('tenant_id', '=', tenant_id), eb('id', '=', id), eb('dataset_id', 'is not', null)]);

export async function beginStart(tx: Tx, start: Start, due_at: number): Promise<void> {
  await tx.db
    .insertInto('pending_deletions')
    .values({ ...start, kind: 'experiment', due_at })
    .execute();
}

/**
 * Extends the time of a start. Returns false if it was abandoned or has expired, in which case its
 * rows may have been deleted.
 */
export async function extendStart(
  tx: Tx,
  start: Start,
  { now, due_at }: { now: number; due_at: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('pending_deletions')
    .set({ due_at })
    .where(isStart(start))
    .where('due_at', '>', now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends a start and keeps its rows. Returns false if it was abandoned or has expired. */
export async function endStart(tx: Tx, start: Start, now: number): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('pending_deletions')
    .where(isStart(start))
    .where('due_at', '>', now)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Abandons a start, whose rows are then deleted. It has no effect once the experiment is complete.
 */
export async function abandonStart(tx: Tx, start: Start): Promise<void> {
  await tx.db.updateTable('pending_deletions').set(ABANDONED).where(isStart(start)).execute();
}

export async function abandonStarts(tx: Tx, { tenant_id, dataset_id }: OfDataset): Promise<void> {
  await tx.db
    .updateTable('pending_deletions')
    .set(ABANDONED)
    .where('tenant_id', '=', tenant_id)
    .where('dataset_id', '=', dataset_id)
    .execute();
}

const ABANDONED = { due_at: 0, dataset_id: null };

/**
 * Selects the starts of a tenant. Expired ones do not count, even while the deletion of their rows
 * waits for others.
 */
const startsOf = (db: Db, tenantId: string, now: number) =>
  db
    .selectFrom('pending_deletions')
    .where('tenant_id', '=', tenantId)
    .where('dataset_id', 'is not', null)
    .where('due_at', '>', now);

/** Counts the experiments of a tenant that are being started. */
export const countStarts = (db: Db, tenantId: string, now: number): Promise<number> =>
  countOf(startsOf(db, tenantId, now));

/** Whether the items of a dataset are being copied for an experiment. */
export const isBeingCopied = async (
  db: Db,
  { tenant_id, dataset_id }: OfDataset,
  now: number,
): Promise<boolean> =>
  (await countOf(startsOf(db, tenant_id, now).where('dataset_id', '=', dataset_id))) > 0;
