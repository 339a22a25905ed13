import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';

type Row = Tables['recording_keys'];

/** Finds the key with this hash, and the state of its device. */
export function findRecordingKey(db: Db, hash: string) {
  return db
    .selectFrom('recording_keys')
    .innerJoin('devices', (join) =>
      join
        .onRef('devices.tenant_id', '=', 'recording_keys.tenant_id')
        .onRef('devices.id', '=', 'recording_keys.device_id'),
    )
    .selectAll('recording_keys')
    .select(['devices.status', 'devices.user_group', 'devices.user'])
    .where('recording_keys.hash', '=', hash)
    .executeTakeFirst();
}

/**
 * Stores a key of a device. Only the newest of its earlier keys are kept, so that a device that
 * repeatedly requests one does not fill the table.
 */
export async function insertRecordingKey(tx: Tx, row: Row): Promise<void> {
  await tx.db.insertInto('recording_keys').values(row).execute();
  const kept = await tx.db
    .selectFrom('recording_keys')
    .select('id')
    .where('tenant_id', '=', row.tenant_id)
    .where('device_id', '=', row.device_id)
    .where('expires_at', '>', row.created_at)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_KEYS)
    .execute();
  await tx.db
    .deleteFrom('recording_keys')
    .where('tenant_id', '=', row.tenant_id)
    .where('device_id', '=', row.device_id)
    .where(
      'id',
      'not in',
      kept.map(({ id }) => id),
    )
    .execute();
}

const MAX_KEYS = 4;

/**
 * Deletes the keys of a device, because its earlier keys must not be valid if it is restored later.
 */
export async function deleteRecordingKeys(
  tx: Tx,
  tenantId: string,
  deviceId: string,
): Promise<void> {
  await tx.db
    .deleteFrom('recording_keys')
    .where('tenant_id', '=', tenantId)
    .where('device_id', '=', deviceId)
    .execute();
}
