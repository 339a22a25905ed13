import type { Db } from '../../storage/open.ts';
import type { Tx } from '../../storage/transaction.ts';
import { valueList } from '../../storage/value-list.ts';

/**
 * Returns those of these certificates that are valid and belong to devices of one tenant that are
 * not revoked, with the devices' inputs to the cascade.
 */
export function listAuthorized(
  db: Db,
  tenantId: string,
  fingerprints: readonly string[],
  now: number,
) {
  return db
    .selectFrom('device_identities as identity')
    .innerJoin('devices', (join) =>
      join
        .onRef('devices.tenant_id', '=', 'identity.tenant_id')
        .onRef('devices.id', '=', 'identity.device_id'),
    )
    .innerJoin('api_keys', (join) =>
      join
        .onRef('api_keys.tenant_id', '=', 'devices.tenant_id')
        .onRef('api_keys.id', '=', 'devices.api_key_id'),
    )
    .select(['identity.fingerprint', 'devices.user_group', 'api_keys.profile_hosts'])
    .where('identity.tenant_id', '=', tenantId)
    .where('identity.fingerprint', 'in', valueList(fingerprints))
    .where('identity.revoked_at', 'is', null)
    .where('identity.expires_at', '>', now)
    .where('devices.status', '!=', 'revoked')
    .execute();
}

export interface DeviceStatus {
  applied_version?: number;
  /** Null while a channel is open. */
  disconnected_at?: number | null;
}

/** Updates the status of these devices of one tenant in one statement. `at` never decreases. */
export async function updateDeviceStatus(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[],
  { at, ...status }: DeviceStatus & { at: number },
): Promise<void> {
  await tx.db
    .updateTable('devices')
    .set((eb) => ({
      ...status,
      last_seen: eb
        .case()
        .when('last_seen', '>', at)
        .then(eb.ref('last_seen'))
        .else(eb.val(at))
        .end(),
    }))
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', valueList(deviceIds))
    .execute();
}
