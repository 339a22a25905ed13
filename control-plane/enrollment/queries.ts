import { type Insertable, type Selectable, sql } from 'kysely';
import type { DeviceDetail } from '#contract/devices.ts';
import { defaultEnrollmentSettings, type EnrollmentSettings } from '#contract/enrollment.ts';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';

type Identity = Pick<
  Selectable<Tables['device_identities']>,
  'tenant_id' | 'device_id' | 'revoked_at'
> &
  Pick<EnrollmentState, 'status'>;

/**
 * Finds an identity. It runs on every request of a device, so it uses raw SQL: building the query
 * would take longer than executing it.
 */
export async function findIdentity(db: Db, fingerprint: string): Promise<Identity | undefined> {
  const { rows } = await sql<Identity>`
    select identity.tenant_id, identity.device_id, identity.revoked_at, devices.status
    from device_identities as identity
    join devices on devices.tenant_id = identity.tenant_id and devices.id = identity.device_id
    where identity.fingerprint = ${fingerprint}`.execute(db);
  return rows[0];
}

const enrollmentColumns = [
  'id',
  'hardware_id',
  'hostname',
  'user',
  'status',
  'identity_key',
  'pending_key',
  'pending_since',
  'pending_request',
  'enrolled_at',
] as const;

/** State that determines whether a device is issued certificates. */
export interface EnrollmentState {
  id: string;
  hardware_id: string;
  hostname: string;
  user: string;
  status: 'pending' | 'active' | 'revoked';
  identity_key: string | null;
  pending_key: string | null;
  pending_since: number | null;
  /** JSON of a `PendingEnrollment`. */
  pending_request: string | null;
  enrolled_at: number;
}

/** The self-description of a computer that requests enrollment, and its address. */
export type PendingEnrollment = Omit<NonNullable<DeviceDetail['waiting']>, 'key' | 'since'>;

/** The columns that enrollment requests and decisions change. */
export type EnrollmentColumns = Pick<
  EnrollmentState,
  'status' | 'identity_key' | 'pending_key' | 'pending_since' | 'pending_request'
>;

export function findDeviceByHardware(
  db: Db,
  tenantId: string,
  hardwareId: string,
): Promise<EnrollmentState | undefined> {
  return db
    .selectFrom('devices')
    .select(enrollmentColumns)
    .where('tenant_id', '=', tenantId)
    .where('hardware_id', '=', hardwareId)
    .executeTakeFirst();
}

export function findEnrollmentState(
  db: Db,
  tenantId: string,
  id: string,
): Promise<EnrollmentState | undefined> {
  return db
    .selectFrom('devices')
    .select(enrollmentColumns)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export type DeviceRow = Insertable<Tables['devices']>;

/**
 * Inserts or updates a device. A device that enrolls again keeps its reports, and its description
 * is updated.
 */
export async function upsertDevice(tx: Tx, device: DeviceRow): Promise<string> {
  const {
    tenant_id: _tenant,
    id: _id,
    hardware_id: _hardware,
    registered_at: _registered,
    registered_by: _registeredBy,
    ...described
  } = device;
  const { id } = await tx.db
    .insertInto('devices')
    .values(device)
    .onConflict((conflict) => conflict.columns(['tenant_id', 'hardware_id']).doUpdateSet(described))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateEnrollmentState(
  tx: Tx,
  tenantId: string,
  id: string,
  change: Partial<EnrollmentColumns>,
): Promise<void> {
  await tx.db
    .updateTable('devices')
    .set(change)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute();
}

/** Counts the devices that first enrolled with a key since a time, whichever key they use now. */
export async function countNewDevices(
  db: Db,
  tenantId: string,
  apiKeyId: string,
  since: number,
): Promise<number> {
  const { devices } = await db
    .selectFrom('devices')
    .select(({ fn }) => fn.countAll<number>().as('devices'))
    .where('tenant_id', '=', tenantId)
    .where('registered_by', '=', apiKeyId)
    .where('registered_at', '>', since)
    .executeTakeFirstOrThrow();
  return devices;
}

export async function insertIdentity(
  tx: Tx,
  identity: Insertable<Tables['device_identities']>,
): Promise<void> {
  await tx.db.insertInto('device_identities').values(identity).execute();
}

export async function insertIntermediate(
  tx: Tx,
  intermediate: Insertable<Tables['device_intermediates']>,
): Promise<void> {
  await tx.db.insertInto('device_intermediates').values(intermediate).execute();
}

/** Lists the valid intermediate CAs of a device. */
export function listIntermediates(db: Db, tenantId: string, deviceId: string, now: number) {
  return db
    .selectFrom('device_intermediates')
    .select(['serial', 'hosts'])
    .where('tenant_id', '=', tenantId)
    .where('device_id', '=', deviceId)
    .where('expires_at', '>', now)
    .where('revoked_at', 'is', null)
    .execute();
}

export async function revokeIntermediates(
  tx: Tx,
  tenantId: string,
  deviceId: string,
  serials: readonly string[],
  now: number,
): Promise<void> {
  if (serials.length === 0) return;
  await tx.db
    .updateTable('device_intermediates')
    .set({ revoked_at: now })
    .where('tenant_id', '=', tenantId)
    .where('device_id', '=', deviceId)
    .where('serial', 'in', [...serials])
    .execute();
  await outdateCrls(tx, tenantId);
}

/** Revokes all certificates of a device. */
export async function revokeCertificates(
  tx: Tx,
  tenantId: string,
  deviceId: string,
  now: number,
): Promise<void> {
  for (const table of ['device_identities', 'device_intermediates'] as const)
    await tx.db
      .updateTable(table)
      .set({ revoked_at: now })
      .where('tenant_id', '=', tenantId)
      .where('device_id', '=', deviceId)
      .where('revoked_at', 'is', null)
      .execute();
  await outdateCrls(tx, tenantId);
}

/** Marks the revocation lists that were signed so far as outdated. */
async function outdateCrls(tx: Tx, tenantId: string): Promise<void> {
  await tx.db
    .updateTable('authorities')
    .set((eb) => ({ revocations: eb('revocations', '+', 1) }))
    .where('tenant_id', '=', tenantId)
    .execute();
}

/** Returns the tenant's settings, or the defaults. */
export async function enrollmentSettingsOf(db: Db, tenantId: string): Promise<EnrollmentSettings> {
  const row = await db
    .selectFrom('enrollment_settings')
    .select(['require_approval', 'new_devices_per_hour'])
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  if (!row) return defaultEnrollmentSettings;
  return { ...row, require_approval: row.require_approval !== 0 };
}

export async function putEnrollmentSettings(
  tx: Tx,
  tenantId: string,
  settings: EnrollmentSettings,
  stamp: { updated_at: number; updated_by: string },
): Promise<void> {
  const row = { ...settings, require_approval: settings.require_approval ? 1 : 0, ...stamp };
  await tx.db
    .insertInto('enrollment_settings')
    .values({ tenant_id: tenantId, ...row })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(row))
    .execute();
}
