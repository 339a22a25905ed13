import type { z } from 'zod';
import type { notificationRoutes } from '#contract/notifications.ts';
import { countOf } from '../storage/bounded-count.ts';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';
import { deleteOlder } from '../storage/delete-rows.ts';

export type Delivery = Tables['notification_deliveries'];
export type Item = Tables['notification_items'];
type Filter = z.output<typeof notificationRoutes.listDeliveries.query>;

export async function listDeliveries(db: Db, tenantId: string, filter: Filter) {
  let deliveries = db.selectFrom('notification_deliveries').where('tenant_id', '=', tenantId);
  for (const column of ['status', 'event', 'channel_id', 'rule_id'] as const) {
    const value = filter[column];
    if (value) deliveries = deliveries.where(column, '=', value);
  }
  const rows = await deliveries
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute();
  return { rows, count: await countOf(deliveries) };
}

const byId = (db: Db, tenantId: string, id: string) =>
  db
    .selectFrom('notification_deliveries')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id);

export const findDelivery = (db: Db, tenantId: string, id: string): Promise<Delivery | undefined> =>
  byId(db, tenantId, id).executeTakeFirst();

export async function insertDelivery(tx: Tx, delivery: Delivery): Promise<void> {
  await tx.db.insertInto('notification_deliveries').values(delivery).execute();
}

export async function insertItem(tx: Tx, item: Item): Promise<void> {
  await tx.db.insertInto('notification_items').values(item).execute();
}

type Group = Pick<
  Delivery,
  'tenant_id' | 'rule_id' | 'channel_id' | 'recipient' | 'cause' | 'status'
>;

/**
 * Adds an event to the count of a message with the same cause that no process sends yet, or that
 * was dropped since this time. Returns undefined if there is none.
 */
export async function joinDelivery(
  tx: Tx,
  { tenant_id, rule_id, channel_id, recipient, cause, status }: Group,
  droppedSince: number,
): Promise<Pick<Delivery, 'id' | 'event_count'> | undefined> {
  const open = await tx.db
    .selectFrom('notification_deliveries')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .where('status', '=', status)
    .where('rule_id', '=', rule_id)
    .where('channel_id', '=', channel_id)
    .where('recipient', '=', recipient)
    .where('cause', '=', cause)
    .where('attempts', '=', 0)
    .$if(status === 'dropped', (query) => query.where('created_at', '>', droppedSince))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!open) return undefined;
  return (
    tx.db
      .updateTable('notification_deliveries')
      .set((eb) => ({ event_count: eb('event_count', '+', 1) }))
      .where('tenant_id', '=', tenant_id)
      .where('id', '=', open.id)
      .where('status', '=', status)
      // Another process may have begun to send it.
      .where('attempts', '=', 0)
      .returning(['id', 'event_count'])
      .executeTakeFirst()
  );
}

/** The process that sends a message, and when its claim expires. */
export interface Lease {
  lease_owner: string;
  lease_until: number;
}

/** Returns the messages of all tenants that are due and that no process sends. */
export const listDue = (db: Db, now: number, limit: number) =>
  db
    .selectFrom('notification_deliveries')
    .select(['tenant_id', 'id', 'channel_id'])
    .where('status', '=', 'waiting')
    .where('due_at', '<=', now)
    .where('lease_until', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .execute();

/** Claims a message for one attempt; undefined if another process was faster. */
export const claimDelivery = (
  { db }: Tx,
  { tenant_id, id }: Pick<Delivery, 'tenant_id' | 'id'>,
  lease: Lease,
  now: number,
): Promise<Delivery | undefined> =>
  db
    .updateTable('notification_deliveries')
    .set((eb) => ({ ...lease, attempts: eb('attempts', '+', 1) }))
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .where('due_at', '<=', now)
    .where('lease_until', '<=', now)
    .returningAll()
    .executeTakeFirst();

/**
 * Stores the result of an attempt, unless its claim has expired and another process has the
 * message.
 */
export async function storeDeliveryAttempt(
  { db }: Tx,
  { tenant_id, id, lease_owner, attempts }: Delivery,
  change: Partial<Delivery>,
): Promise<void> {
  await db
    .updateTable('notification_deliveries')
    .set({ ...change, lease_owner: '', lease_until: 0 })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('lease_owner', '=', lease_owner)
    .where('attempts', '=', attempts)
    .execute();
}

export const listItems = (db: Db, { tenant_id, id }: Pick<Delivery, 'tenant_id' | 'id'>) =>
  db
    .selectFrom('notification_items')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('delivery_id', '=', id)
    .orderBy('event_id')
    .execute();

/** Puts a message that was sent or given up back in the queue. */
export const requeueDelivery = (
  tx: Tx,
  tenantId: string,
  id: string,
  now: number,
): Promise<Delivery | undefined> =>
  tx.db
    .updateTable('notification_deliveries')
    .set({ status: 'waiting', attempts: 0, due_at: now, lease_owner: '', lease_until: 0 })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('status', 'in', ['sent', 'failed'])
    .returningAll()
    .executeTakeFirst();

/** Deletes old messages of a tenant that no longer wait. Returns the number of deleted rows. */
export async function deleteOldDeliveries(
  tx: Tx,
  tenantId: string,
  before: number,
  limit: number,
): Promise<number> {
  const items = await deleteOlder(tx, 'notification_items', {
    tenantId,
    key: ['delivery_id', 'event_id'],
    column: 'created_at',
    before,
    limit,
  });
  if (items >= limit) return items;
  const deliveries = await deleteOlder(tx, 'notification_deliveries', {
    tenantId,
    key: ['id'],
    column: 'created_at',
    before,
    limit: limit - items,
  });
  return items + deliveries;
}

export async function listTenantsWithDeliveries(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('notification_deliveries')
    .select('tenant_id')
    .distinct()
    .execute();
  return rows.map(({ tenant_id }) => tenant_id);
}
