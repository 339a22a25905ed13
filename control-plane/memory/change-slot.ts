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
 * Changes the slot of this name in one transaction. Whoever else writes, removes or forgets the
 * same slot waits, so that what was read is still so when it is written.
 */
export const changeSlot = <T>(
  context: Context,
  slot: SlotName,
  change: (trx: Trx, known: NamedSlot | undefined) => Promise<T>,
): Promise<T> =>
  context.storage.db
    .transaction()
    .execute((trx) => changeSlotWithin(trx, context, slot, (known) => change(trx, known)));

/** As `changeSlot`, within a transaction that does more. */
export async function changeSlotWithin<T>(
  trx: Trx,
  { storage }: Context,
  { tenantId, identity }: SlotName,
  change: (known: NamedSlot | undefined) => Promise<T>,
): Promise<T> {
  await storage.lock(trx, lockOf(tenantId, identity));
  return change(await findSlotNamed(trx, tenantId, identity));
}

/** The slot if it is still to be written on; one that is over makes way for its successor. */
export async function ifAlive(
  trx: Db,
  tenantId: string,
  known: NamedSlot | undefined,
  isAlive: (slot: NamedSlot) => boolean,
): Promise<NamedSlot | undefined> {
  if (!known || isAlive(known)) return known;
  await removeSlot(trx, { tenantId, id: known.id });
  return undefined;
}
