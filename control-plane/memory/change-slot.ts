import type { Context } from '../context.ts';
import { slotLock } from '../storage/locks.ts';
import type { Tx } from '../storage/transaction.ts';
import { findSlotNamed, removeSlot } from './write-queries.ts';

interface SlotName {
  tenantId: string;
  identity: string;
}

export type NamedSlot = NonNullable<Awaited<ReturnType<typeof findSlotNamed>>>;

/**
 * Changes the slot with this name in one transaction. A lock makes concurrent changes of the slot
 * wait, so that the slot that was read stays current until it is written.
 */
export const changeSlot = <T>(
  context: Context,
  slot: SlotName,
  change: (tx: Tx, existing: NamedSlot | undefined) => Promise<T>,
): Promise<T> =>
  context.storage.transaction((tx) =>
    changeSlotWithin(tx, slot, (existing) => change(tx, existing)),
  );

/** Changes a slot like `changeSlot`, but within an existing transaction. */
export async function changeSlotWithin<T>(
  tx: Tx,
  { tenantId, identity }: SlotName,
  change: (existing: NamedSlot | undefined) => Promise<T>,
): Promise<T> {
  await tx.lock(slotLock(tenantId, identity));
  return change(await findSlotNamed(tx.db, tenantId, identity));
}

/** Returns the slot if it is still valid; otherwise removes it to make room for its successor. */
export async function removeIfStale(
  tx: Tx,
  tenantId: string,
  existing: NamedSlot | undefined,
  isValid: (slot: NamedSlot) => boolean,
): Promise<NamedSlot | undefined> {
  if (!existing || isValid(existing)) return existing;
  await removeSlot(tx, { tenantId, id: existing.id });
  return undefined;
}
