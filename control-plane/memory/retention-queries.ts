import type { Db, Storage, Trx } from '../storage/open.ts';
import { lockOf } from './rules.ts';
import { removeItems, removeSlot, updateSlot } from './write-queries.ts';

/** Selects slots that expired, or were last written, before a time. */
export interface Outdated {
  tenantId: string;
  by: 'expires_at' | 'updated_at';
  before: number;
}

/** Low, because a slot may be a thousand times as large as any other row. */
const SLOTS_PER_BATCH = 20;

/**
 * Deletes at most `most` rows of the selected slots in one transaction, oldest first. Returns the
 * number of deleted rows, or `most` if there may be more.
 */
export async function deleteSlots(
  storage: Storage,
  outdated: Outdated,
  most: number,
  slots = SLOTS_PER_BATCH,
): Promise<number> {
  const slotsDue = await findOutdated(storage.db, outdated, slots);
  if (slotsDue.length === 0) return 0;
  const identities = slotsDue.map(({ identity }) => identity);
  const deleted = await storage.db.transaction().execute(async (trx) => {
    await storage.lock(trx, ...identities.map((identity) => lockOf(outdated.tenantId, identity)));
    return deleteStillOutdated(trx, outdated, identities, most);
  });
  return slotsDue.length === slots ? most : deleted;
}

/** Checks the slots again under the lock: those written meanwhile stay. */
async function deleteStillOutdated(
  trx: Trx,
  outdated: Outdated,
  identities: readonly string[],
  most: number,
): Promise<number> {
  let deleted = 0;
  for (const slot of await findOutdated(trx, outdated, identities.length, identities))
    if (deleted < most) deleted += await deleteSlot(trx, outdated.tenantId, slot, most - deleted);
  return deleted;
}

type Slot = Awaited<ReturnType<typeof findOutdated>>[number];

/** If a list has more items than may be deleted, only the oldest go, and the list stays valid. */
async function deleteSlot(trx: Trx, tenantId: string, slot: Slot, most: number): Promise<number> {
  const key = { tenantId, id: slot.id };
  const items = slot.item_count ?? 0;
  if (items < most) {
    await removeSlot(trx, key);
    return items + 1;
  }
  const oldest = (slot.appended ?? 0) - items + 1;
  const bytes = await removeItems(trx, key, oldest + most);
  const change = { item_count: items - most, size_bytes: slot.size_bytes - bytes };
  await updateSlot(trx, key, change);
  return most;
}

function findOutdated(
  db: Db,
  { tenantId, by, before }: Outdated,
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
