import type { Insertable } from 'kysely';
import type { Db } from '../../storage/open.ts';
import type { Tables } from '../../storage/tables.ts';

/** The tenant's root of today. */
export function findAuthority(db: Db, tenantId: string) {
  return db
    .selectFrom('authorities')
    .select(['certificate', 'private_key'])
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
}

/** Every tenant's roots: what the device listener trusts. */
export async function listRootCertificates(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('authorities').select('certificate').execute();
  return rows.map((row) => row.certificate);
}

export function findIdentity(db: Db, fingerprint: string) {
  return db
    .selectFrom('device_identities as identity')
    .innerJoin('devices', (join) =>
      join
        .onRef('devices.tenant_id', '=', 'identity.tenant_id')
        .onRef('devices.id', '=', 'identity.device_id'),
    )
    .select(['identity.tenant_id', 'identity.device_id', 'identity.revoked_at', 'devices.status'])
    .where('identity.fingerprint', '=', fingerprint)
    .executeTakeFirst();
}

export function findDeviceByHardware(db: Db, tenantId: string, hardwareId: string) {
  return db
    .selectFrom('devices')
    .select(['id', 'status'])
    .where('tenant_id', '=', tenantId)
    .where('hardware_id', '=', hardwareId)
    .executeTakeFirst();
}

type DeviceRow = Insertable<Tables['devices']>;

/** Enrolling again keeps the device and what it reported; its description is renewed. */
export async function upsertDevice(db: Db, device: DeviceRow): Promise<string> {
  const { tenant_id: _tenant, id: _id, hardware_id: _hardware, ...described } = device;
  const { id } = await db
    .insertInto('devices')
    .values(device)
    .onConflict((conflict) => conflict.columns(['tenant_id', 'hardware_id']).doUpdateSet(described))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function insertIdentity(
  db: Db,
  identity: Insertable<Tables['device_identities']>,
): Promise<void> {
  await db.insertInto('device_identities').values(identity).execute();
}

/** A device that enrolls anew has new keys: what was issued to the old ones ends. */
export async function revokeIdentities(
  db: Db,
  tenantId: string,
  deviceId: string,
  now: number,
): Promise<void> {
  await db
    .updateTable('device_identities')
    .set({ revoked_at: now })
    .where('tenant_id', '=', tenantId)
    .where('device_id', '=', deviceId)
    .where('revoked_at', 'is', null)
    .execute();
}
