import { slotLock } from '../storage/locks.ts';
import type { Db, Storage } from '../storage/open.ts';
import type { Tx } from '../storage/transaction.ts';
import { removeItems, removeSlot, updateSlot } from './write-queries.ts';

/** Selects slots that expired, or were last written, before a time. */
export interface OutdatedSlots {
  tenantId: string;
  by: 'expires_at' | 'updated_at';
  before: number;
}

/** Low, because a slot may be a thousand times as large as any other row. */
const SLOTS_PER_BATCH = 20;

/**
 * Deletes at most `limit` rows of the selected slots in one transaction, oldest first. Returns the
 * number of deleted rows, or `limit` if there may be more.
 */
export async function deleteSlots(
  storage: Storage,
  outdated: OutdatedSlots,
  limit: number,
  slots = SLOTS_PER_BATCH,
): Promise<number> {
  const slotsDue = await findOutdated(storage.db, outdated, slots);
  if (slotsDue.length === 0) return 0;
  const identities = slotsDue.map(({ identity }) => identity);
  const deleted = await storage.transaction(async (tx) => {
    await tx.lock(...identities.map((identity) => slotLock(outdated.tenantId, identity)));
    return deleteStillOutdated(tx, outdated, identities, limit);
  });
  return slotsDue.length === slots ? limit : deleted;
}

/** Checks the slots again under the lock, so that those written in the meantime are kept. */
async function deleteStillOutdated(
  tx: Tx,
  outdated: OutdatedSlots,
  identities: readonly string[],
  limit: number,
): Promise<number> {
  let deleted = 0;
  for (const slot of await findOutdated(tx.db, outdated, identities.length, identities))
    if (deleted < limit) deleted += await deleteSlot(tx, outdated.tenantId, slot, limit - deleted);
  return deleted;
}

type Slot = Awaited<ReturnType<typeof findOutdated>>[number];

/**
 * Deletes a slot. If a list has more items than may be deleted, only the oldest are deleted, and
 * the list stays valid.
 */
async function deleteSlot(tx: Tx, tenantId: string, slot: Slot, limit: number): Promise<number> {
  const key = { tenantId, id: slot.id };
  const items = slot.item_count ?? 0;
  if (items < limit) {
    await removeSlot(tx, key);
    return items + 1;
  }
  const oldest = (slot.appended ?? 0) - items + 1;
  const bytes = await removeItems(tx, key, oldest + limit);
  const change = { item_count: items - limit, size_bytes: slot.size_bytes - bytes };
  await updateSlot(tx, key, change);
  return limit;
}

function findOutdated(
  db: Db,
  { tenantId, by, before }: OutdatedSlots,
  limit: number,
  identities?: readonly string[],
) {
  const slots = db
    .selectFrom('memory_slots')
    .select(['id', 'identity', 'item_count', 'appended', 'size_bytes'])
    .where('tenant_id', '=', tenantId)
    .where(by, '<', before);
  return (identities ? slots.where('identity', 'in', identities) : slots)
    .orderBy(by)
    .orderBy('id')
    .limit(limit)
    .execute();
}
