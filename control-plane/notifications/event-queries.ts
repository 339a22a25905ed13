import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';

export type StoredEvent = Tables['notification_events'];

/** Whether the tenant has any rule; otherwise no events are stored. */
export async function hasRules(db: Db, tenantId: string): Promise<boolean> {
  const rule = await db
    .selectFrom('notification_rules')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('enabled', '=', 1)
    .limit(1)
    .executeTakeFirst();
  return rule !== undefined;
}

export async function insertEvent(tx: Tx, event: StoredEvent): Promise<void> {
  await tx.db.insertInto('notification_events').values(event).execute();
}

/** Lists the tenants with events that are not part of messages yet. */
export async function listTenantsWithEvents(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('notification_events').select('tenant_id').distinct().execute();
  return rows.map(({ tenant_id }) => tenant_id);
}

export const listEvents = (db: Db, tenantId: string, limit: number): Promise<StoredEvent[]> =>
  db
    .selectFrom('notification_events')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('id')
    .limit(limit)
    .execute();

export async function deleteEvents(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<void> {
  await tx.db
    .deleteFrom('notification_events')
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', ids)
    .execute();
}
