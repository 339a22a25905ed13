import type { Db, Storage, Trx } from '../storage/open.ts';
import { lockOf } from './rules.ts';
import { removeItems, removeSlot, updateSlot } from './write-queries.ts';

/** Slots whose time is over: those that expired, or were last written, before a moment. */
export interface Over {
  tenantId: string;
  by: 'expires_at' | 'updated_at';
  before: number;
}

/** A slot may be a thousand times as large as any other row. */
const SLOTS_IN_A_STEP = 20;

/**
 * Deletes at most `most` rows of slots whose time is over, those of the longest time first, in one
 * transaction. Answers how many went, or `most` when there may be more.
 */
export async function deleteSlots(
  storage: Storage,
  over: Over,
  most: number,
  slots = SLOTS_IN_A_STEP,
): Promise<number> {
  const found = await findOver(storage.db, over, slots);
  if (found.length === 0) return 0;
  const identities = found.map(({ identity }) => identity);
  const deleted = await storage.db.transaction().execute(async (trx) => {
    await storage.lock(trx, ...identities.map((identity) => lockOf(over.tenantId, identity)));
    return deleteStillOver(trx, over, identities, most);
  });
  return found.length === slots ? most : deleted;
}

/** What was written again since it was found stays. */
async function deleteStillOver(
  trx: Trx,
  over: Over,
  identities: readonly string[],
  most: number,
): Promise<number> {
  let deleted = 0;
  for (const slot of await findOver(trx, over, identities.length, identities))
    if (deleted < most) deleted += await deleteSlot(trx, over.tenantId, slot, most - deleted);
  return deleted;
}

type Slot = Awaited<ReturnType<typeof findOver>>[number];

/** Of a list that has more items the oldest go first: what is left of it is a list as any other. */
async function deleteSlot(trx: Trx, tenantId: string, slot: Slot, most: number): Promise<number> {
  const key = { tenantId, id: slot.id };
  const items = slot.item_count ?? 0;
  if (items < most) {
    await removeSlot(trx, key);
    return items + 1;
  }
  const oldest = (slot.appended ?? 0) - items + 1;
  const bytes = await removeItems(trx, key, oldest + most);
  const left = { item_count: items - most, size_bytes: slot.size_bytes - bytes };
  await updateSlot(trx, key, left);
  return most;
}

function findOver(
  db: Db,
  { tenantId, by, before }: Over,
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
