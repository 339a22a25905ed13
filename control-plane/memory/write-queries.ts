import type { Insertable } from 'kysely';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';
import type { RunRef } from '../usage/count.ts';
import type { SlotKey } from './queries.ts';

export type SlotRow = Insertable<Tables['memory_slots']>;

/** Finds the run that writes, with the columns that policies need. */
export function findWritingRun(db: Db, tenantId: string, id: number): Promise<RunRef | undefined> {
  return db
    .selectFrom('runs')
    .select(['tenant_id', 'id', 'agent_name', 'workflow_name', 'session_id', 'user_id'])
    .select(['end_user_id', 'status', 'started_at'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/**
 * Finds a slot by name. This includes an expired one, which must be removed before its successor is
 * inserted.
 */
export function findSlotNamed(db: Db, tenantId: string, identity: string) {
  return db
    .selectFrom('memory_slots')
    .select(['id', 'memory_type', 'item_count', 'appended', 'max_items', 'size_bytes'])
    .select(['preview', 'expires_at'])
    .where('tenant_id', '=', tenantId)
    .where('identity', '=', identity)
    .executeTakeFirst();
}

export async function insertSlot(tx: Tx, slot: SlotRow): Promise<void> {
  await tx.db.insertInto('memory_slots').values(slot).execute();
}

export async function updateSlot(
  tx: Tx,
  { tenantId, id }: SlotKey,
  change: Partial<SlotRow>,
): Promise<void> {
  await tx.db
    .updateTable('memory_slots')
    .set(change)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute();
}

/** Deletes items before a position. Returns their size in bytes. */
export async function removeItems(
  tx: Tx,
  { tenantId, id }: SlotKey,
  before: number,
): Promise<number> {
  const removed = await tx.db
    .deleteFrom('memory_items')
    .where('tenant_id', '=', tenantId)
    .where('slot_id', '=', id)
    .where('position', '<', before)
    .returning('size_bytes')
    .execute();
  return removed.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
}

export async function removeSlot(tx: Tx, { tenantId, id }: SlotKey): Promise<void> {
  await tx.db
    .deleteFrom('memory_slots')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute();
  await tx.db
    .deleteFrom('memory_items')
    .where('tenant_id', '=', tenantId)
    .where('slot_id', '=', id)
    .execute();
}
