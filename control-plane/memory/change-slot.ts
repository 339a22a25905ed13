import type { Context } from '../context.ts';
import type { Db, Trx } from '../storage/open.ts';
import { lockOf } from './rules.ts';
import { findSlotNamed, removeSlot } from './write-queries.ts';

interface SlotName {
  tenantId: string;
  identity: string;
}

export type NamedSlot = NonNullable<Awaited<ReturnType<typeof findSlotNamed>>>;

/**
 * Changes the slot with this name in one transaction. The lock makes concurrent changes of the slot
 * wait, so that the slot read stays current until it is written.
 */
export const changeSlot = <T>(
  context: Context,
  slot: SlotName,
  change: (trx: Trx, existing: NamedSlot | undefined) => Promise<T>,
): Promise<T> =>
  context.storage.db
    .transaction()
    .execute((trx) => changeSlotWithin(trx, context, slot, (existing) => change(trx, existing)));

/** Like `changeSlot`, within an existing transaction. */
export async function changeSlotWithin<T>(
  trx: Trx,
  { storage }: Context,
  { tenantId, identity }: SlotName,
  change: (existing: NamedSlot | undefined) => Promise<T>,
): Promise<T> {
  await storage.lock(trx, lockOf(tenantId, identity));
  return change(await findSlotNamed(trx, tenantId, identity));
}

/** Returns the slot if it is still valid; otherwise removes it to make room for its successor. */
export async function removeIfStale(
  trx: Db,
  tenantId: string,
  existing: NamedSlot | undefined,
  isValid: (slot: NamedSlot) => boolean,
): Promise<NamedSlot | undefined> {
  if (!existing || isValid(existing)) return existing;
  await removeSlot(trx, { tenantId, id: existing.id });
  return undefined;
}
