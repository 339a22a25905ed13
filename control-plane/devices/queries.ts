import { sql } from 'kysely';
import type { CertificateRefusal } from '#contract/captures.ts';
import { countBeyond } from '../storage/bounded-count.ts';
import { contains } from '../storage/contains.ts';
import { countOf } from '../storage/count.ts';
import type { Db } from '../storage/open.ts';
import type { AppFilter, DeviceFilter, FlowFilter } from './filters.ts';

const deviceColumns = [
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
  'waiting_key',
  'waiting_since',
  'waiting_as',
  'tenants.config_version',
] as const;

const devicesOf = (db: Db, tenantId: string) =>
  db
    .selectFrom('devices')
    .innerJoin('tenants', 'tenants.id', 'devices.tenant_id')
    .where('devices.tenant_id', '=', tenantId);

export async function listDevices(db: Db, tenantId: string, filter: DeviceFilter) {
  let devices = devicesOf(db, tenantId);
  if (filter.search) {
    const { search } = filter;
    devices = devices.where((eb) =>
      eb.or(['hostname', 'user', 'devices.id'].map((column) => contains(column, search))),
    );
  }
  const rows = await devices
    .select(deviceColumns)
    .orderBy('last_seen', 'desc')
    .orderBy('devices.id')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute();
  return { rows, count: await countOf(devices) };
}

export function findDevice(db: Db, tenantId: string, id: string) {
  return devicesOf(db, tenantId)
    .select(deviceColumns)
    .where('devices.id', '=', id)
    .executeTakeFirst();
}

/** Programs that reject the device's certificates, as last reported. */
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

/** The valid certificate with the latest expiry. */
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

const MOST_GAPS = 100;

export const listGaps = (db: Db, tenantId: string, deviceId: string) =>
  db
    .selectFrom('observation_gaps')
    .select(['reason', 'started_at', 'ended_at'])
    .where('tenant_id', '=', tenantId)
    .where('device_id', '=', deviceId)
    .orderBy('started_at', 'desc')
    .orderBy('reason')
    .limit(MOST_GAPS)
    .execute();

export async function listApps(db: Db, tenantId: string, filter: AppFilter) {
  let apps = db
    .selectFrom('apps')
    .innerJoin('devices', (join) =>
      join
        .onRef('devices.tenant_id', '=', 'apps.tenant_id')
        .onRef('devices.id', '=', 'apps.device_id'),
    )
    .where('apps.tenant_id', '=', tenantId);
  if (filter.device) apps = apps.where('apps.device_id', '=', filter.device);
  if (filter.group) apps = apps.where('apps.group_id', '=', filter.group);
  if (filter.kind) apps = apps.where('apps.kind', '=', filter.kind);
  if (filter.version) apps = apps.where('apps.version', '=', filter.version);
  if (filter.present === 'true') apps = apps.whereRef('apps.last_seen', '=', 'devices.scanned_at');
  if (filter.present === 'false') apps = apps.where(isGone);
  if (filter.search) apps = apps.where(contains('apps.name', filter.search));
  const rows = await apps
    .selectAll('apps')
    .select(['devices.scanned_at', 'devices.hostname'])
    .orderBy(filter.group ? 'apps.device_id' : 'apps.kind')
    .orderBy(filter.group ? 'apps.id' : 'apps.name')
    .orderBy('apps.id')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute();
  return { rows, count: await countOf(apps) };
}

/** The app was missing in the latest scan of its device. */
const isGone = sql<boolean>`apps.last_seen is distinct from devices.scanned_at`;

/** Selects ids from an index, and reads full rows for this page only. */
export async function listFlows(db: Db, tenantId: string, filter: FlowFilter) {
  const flows = flowsOf(db, tenantId, filter);
  const page = flows
    .select(['flows.device_id', 'flows.id', 'flows.started_at'])
    .orderBy('flows.started_at', 'desc')
    .orderBy('flows.id', 'desc')
    .limit(filter.limit)
    .offset(filter.offset);
  const rows = await db
    .selectFrom(page.as('page'))
    .innerJoin('flows', (join) =>
      join
        .on('flows.tenant_id', '=', tenantId)
        .onRef('flows.device_id', '=', 'page.device_id')
        .onRef('flows.id', '=', 'page.id'),
    )
    .innerJoin('devices', (join) =>
      join.on('devices.tenant_id', '=', tenantId).onRef('devices.id', '=', 'page.device_id'),
    )
    .selectAll('flows')
    .select('devices.hostname')
    .orderBy('page.started_at', 'desc')
    .orderBy('page.id', 'desc')
    .execute();
  return { rows, ...(await countBeyond(db, flows, filter)) };
}

function flowsOf(db: Db, tenantId: string, filter: FlowFilter) {
  let flows = db.selectFrom('flows').where('flows.tenant_id', '=', tenantId);
  if (filter.device) flows = flows.where('flows.device_id', '=', filter.device);
  if (filter.host) flows = flows.where('flows.host', '=', filter.host.toLowerCase());
  if (filter.process) flows = flows.where('flows.process', '=', filter.process);
  if (filter.known_host)
    flows = flows.where('flows.host', filter.known_host === 'true' ? 'is not' : 'is', null);
  return flows;
}
