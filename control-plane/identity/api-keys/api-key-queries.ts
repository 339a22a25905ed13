import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Db } from '../../storage/open.ts';
import type { Tables } from '../../storage/tables.ts';
import type { Tx } from '../../storage/transaction.ts';

export function findApiKey(db: Db, hash: string) {
  return db.selectFrom('api_keys').selectAll().where('hash', '=', hash).executeTakeFirst();
}

export async function insertApiKey(tx: Tx, key: Insertable<Tables['api_keys']>): Promise<void> {
  await tx.db.insertInto('api_keys').values(key).execute();
}

export function listApiKeys(db: Db, tenantId: string) {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export function findApiKeyById(db: Db, tenantId: string, id: string) {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function changeApiKey(
  tx: Tx,
  { tenant_id, id }: Pick<Selectable<Tables['api_keys']>, 'tenant_id' | 'id'>,
  change: Updateable<Tables['api_keys']>,
): Promise<void> {
  await tx.db
    .updateTable('api_keys')
    .set(change)
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute();
}

export const touchApiKey = (
  tx: Tx,
  key: Pick<Selectable<Tables['api_keys']>, 'tenant_id' | 'id'>,
  now: number,
): Promise<void> => changeApiKey(tx, key, { last_used_at: now });
