import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';

type Row = Tables['recording_keys'];

/** The key with this hash, and the state of its device. */
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
 * Stores a key of a device. Of its earlier keys only the newest remain, so that a device that asks
 * again and again fills no table.
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
    .limit(MOST_KEYS)
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

const MOST_KEYS = 4;

/** A device that is restored later must not find its earlier keys valid. */
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
