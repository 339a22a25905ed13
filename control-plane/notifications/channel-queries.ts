import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';

export type Channel = Tables['notification_channels'];

export const listChannels = (db: Db, tenantId: string): Promise<Channel[]> =>
  db
    .selectFrom('notification_channels')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('name')
    .orderBy('id')
    .execute();

export const findChannel = (db: Db, tenantId: string, id: string): Promise<Channel | undefined> =>
  db
    .selectFrom('notification_channels')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();

export async function insertChannel(tx: Tx, channel: Channel): Promise<void> {
  await tx.db.insertInto('notification_channels').values(channel).execute();
}

export async function updateChannel(tx: Tx, channel: Channel): Promise<void> {
  const { tenant_id, id, ...values } = channel;
  await tx.db
    .updateTable('notification_channels')
    .set(values)
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute();
}

export async function deleteChannel(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.db
    .deleteFrom('notification_channels')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute();
}
