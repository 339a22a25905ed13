import { sql } from 'kysely';
import { endOfPause } from './rules.ts';
import type { CertificateRefusal } from '#contract/captures.ts';
import { countOf } from '../storage/bounded-count.ts';
import type { Db } from '../storage/open.ts';

export const deviceColumns = [
  'devices.id',
  'hostname',
  'os',
  'os_version',
  'agent_version',
  'user',
  'user_group',
  'status',
  'enrolled_at',
  'last_seen',
  'disconnected_at',
  'applied_version',
  'queued',
  'dropped',
  'problems',
  'present_apps',
  'risk_flags',
  'pending_key',
  'pending_since',
  'pending_request',
] as const;

/** The version of the last change that affected the device. */
export const targetVersion = sql<number>`(case
  when devices.target_version > tenants.fleet_config_version then devices.target_version
  else tenants.fleet_config_version end)`;

export const devicesOf = (db: Db, tenantId: string) =>
  db
    .selectFrom('devices')
    .innerJoin('tenants', 'tenants.id', 'devices.tenant_id')
    .where('devices.tenant_id', '=', tenantId);

export function findDevice(db: Db, tenantId: string, id: string) {
  return devicesOf(db, tenantId)
    .select(deviceColumns)
    .select(targetVersion.as('config_version'))
    .where('devices.id', '=', id)
    .executeTakeFirst();
}

/** Lists programs that reject the device's certificates, as last reported. */
export async function listRefusals(
  db: Db,
  tenantId: string,
  deviceId: string,
): Promise<CertificateRefusal[]> {
  const row = await db
    .selectFrom('devices')
    .select('certificate_refusals')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', deviceId)
    .executeTakeFirst();
  return JSON.parse(row?.certificate_refusals ?? '[]') as CertificateRefusal[];
}

/** Finds the valid certificate with the latest expiry. */
export function findValidIdentity(db: Db, tenantId: string, deviceId: string, now: number) {
  return db
    .selectFrom('device_identities')
    .select(['serial', 'expires_at'])
    .where('tenant_id', '=', tenantId)
    .where('device_id', '=', deviceId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('expires_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function countReports(db: Db, tenantId: string, deviceId: string) {
  const apps = db
    .selectFrom('apps')
    .where('tenant_id', '=', tenantId)
    .where('device_id', '=', deviceId);
  const flows = db
    .selectFrom('flows')
    .where('tenant_id', '=', tenantId)
    .where('device_id', '=', deviceId);
  return { app_count: await countOf(apps), flow_count: await countOf(flows) };
}

const MAX_GAPS = 100;

export const listGaps = (db: Db, tenantId: string, deviceId: string) =>
  db
    .selectFrom('observation_gaps')
    .select(['reason', 'started_at', 'ended_at'])
    .where('tenant_id', '=', tenantId)
    .where('device_id', '=', deviceId)
    .orderBy('started_at', 'desc')
    .orderBy('reason')
    .limit(MAX_GAPS)
    .execute();

const MAX_PAUSES = 100;

/** Lists the times for which the user of a device paused capture, latest first. */
export async function listPauses(db: Db, tenantId: string, deviceId: string) {
  const rows = await db
    .selectFrom('capture_pauses')
    .select(['id', 'user', 'started_at', 'minutes', 'ended_at', 'ended_by'])
    .where('tenant_id', '=', tenantId)
    .where('device_id', '=', deviceId)
    .orderBy('started_at', 'desc')
    .orderBy('id')
    .limit(MAX_PAUSES)
    .execute();
  return rows.map((row) => ({ ...row, ends_at: endOfPause(row) }));
}

/** Returns active pauses by device. A pause whose end was not reported ends at its deadline. */
export async function currentPauses(
  db: Db,
  tenantId: string,
  deviceIds: readonly string[],
  now: number,
) {
  if (deviceIds.length === 0) return new Map<string, never>();
  const rows = await db
    .selectFrom('capture_pauses')
    .select(['device_id', 'user', 'started_at', 'minutes'])
    .where('tenant_id', '=', tenantId)
    .where('device_id', 'in', deviceIds)
    .where('ended_at', 'is', null)
    .orderBy('started_at')
    .execute();
  const lasting = rows
    .map((row) => ({ ...row, ends_at: endOfPause(row) }))
    .filter(({ ends_at }) => ends_at > now);
  return new Map(lasting.map((pause) => [pause.device_id, pause]));
}
