import type { Storage } from '../../storage/open.ts';

/**
 * Of these certificates of one tenant, those that count now and whose devices are not revoked, with
 * what the cascade needs to know of the device.
 */
export function listServed(
  { db, bulk }: Pick<Storage, 'db' | 'bulk'>,
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
    .where('identity.fingerprint', 'in', bulk.list(fingerprints))
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

/** All of these devices of one tenant were seen so, in one statement. `at` never goes back. */
export async function updateDeviceStatus(
  { db, bulk }: Pick<Storage, 'db' | 'bulk'>,
  tenantId: string,
  deviceIds: readonly string[],
  { at, ...seen }: DeviceStatus & { at: number },
): Promise<void> {
  await db
    .updateTable('devices')
    .set((eb) => ({
      ...seen,
      last_seen: eb
        .case()
        .when('last_seen', '>', at)
        .then(eb.ref('last_seen'))
        .else(eb.val(at))
        .end(),
    }))
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', bulk.list(deviceIds))
    .execute();
}
