import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { tenantIndexes, withDefault } from './001-schema/table-parts.ts';

/**
 * Filters and sort orders of the lists of devices, apps, captures, scores and audit entries. The
 * indexes only contain columns that do not change, so that reports and heartbeats write no more
 * than before.
 */
export const fleetLists: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    const addColumn = (name: string, type: 'bigint' | 'text', value: string | number) =>
      schema.alterTable('devices').addColumn(name, type, withDefault(value)).execute();
    await addColumn('present_apps', 'bigint', 0);
    await addColumn('risk_flags', 'text', '[]');
    await countApps(db);
    await collectFlags(db);
    for (const [table, name, ...columns] of indexes)
      await tenantIndexes(schema, table)(name, ...columns).execute();
  },
};

const indexes: readonly (readonly [table: string, name: string, ...columns: string[]])[] = [
  ['devices', 'devices_by_hostname', 'hostname', 'id'],
  ['apps', 'apps_by_first_seen', 'first_seen', 'id'],
  ['audit_entries', 'audit_entries_by_actor', 'actor_id', 'created_at', 'sequence'],
  ['audit_entries', 'audit_entries_by_resource', 'resource_id', 'created_at', 'sequence'],
  ['captures', 'captures_by_model', 'model', 'started_at', 'id'],
  ['captures', 'captures_by_status', 'status', 'started_at', 'id'],
  ['scores', 'scores_by_agent', 'run_agent_name', 'created_at', 'id'],
];

const countApps = (db: Kysely<unknown>) =>
  sql`update devices set present_apps = (select count(*) from apps
    where apps.tenant_id = devices.tenant_id and apps.device_id = devices.id
      and apps.last_seen = devices.scanned_at)`.execute(db);

interface AppTables {
  apps: { tenant_id: string; device_id: string; risk_flags: string; last_seen: number };
  devices: { tenant_id: string; id: string; scanned_at: number | null; risk_flags: string };
}

async function collectFlags(db: Kysely<AppTables>): Promise<void> {
  const rows = await db
    .selectFrom('apps')
    .innerJoin('devices', (join) =>
      join
        .onRef('devices.tenant_id', '=', 'apps.tenant_id')
        .onRef('devices.id', '=', 'apps.device_id')
        .onRef('devices.scanned_at', '=', 'apps.last_seen'),
    )
    .select(['apps.tenant_id', 'apps.device_id', 'apps.risk_flags'])
    .where('apps.risk_flags', '!=', '[]')
    .distinct()
    .execute();
  const flags = new Map<string, Set<string>>();
  for (const { tenant_id, device_id, risk_flags } of rows) {
    const key = JSON.stringify([tenant_id, device_id]);
    const found = flags.get(key) ?? new Set();
    for (const flag of JSON.parse(risk_flags) as string[]) found.add(flag);
    flags.set(key, found);
  }
  for (const [key, found] of flags) {
    const [tenantId, id] = JSON.parse(key) as [string, string];
    await db
      .updateTable('devices')
      .set({ risk_flags: JSON.stringify([...found].sort()) })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .execute();
  }
}
