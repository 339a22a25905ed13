import { sql } from 'kysely';
import { valueList } from '../storage/value-list.ts';
import type { Tx } from '../storage/transaction.ts';

/**
 * Counts the apps that the latest scan of each device found and collects their risks, so that
 * devices can be filtered and sorted by them without reading all apps.
 */
export async function summarizeDeviceApps(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[],
): Promise<void> {
  const ids = [...new Set(deviceIds)].sort();
  if (ids.length === 0) return;
  const rows = await tx.db
    .selectFrom('devices')
    .innerJoin('apps', (join) =>
      join
        .onRef('apps.tenant_id', '=', 'devices.tenant_id')
        .onRef('apps.device_id', '=', 'devices.id')
        .onRef('apps.last_seen', '=', 'devices.scanned_at'),
    )
    .select(['apps.device_id', 'apps.risk_flags', sql<number>`count(*)`.as('count')])
    .where('devices.tenant_id', '=', tenantId)
    .where('devices.id', 'in', valueList(ids))
    .groupBy(['apps.device_id', 'apps.risk_flags'])
    .execute();
  const byDevice = Map.groupBy(rows, ({ device_id }) => device_id);
  for (const id of ids) {
    const found = byDevice.get(id) ?? [];
    const flags = found.flatMap(({ risk_flags }) => JSON.parse(risk_flags) as string[]);
    await tx.db
      .updateTable('devices')
      .set({
        present_apps: found.reduce((sum, { count }) => sum + count, 0),
        risk_flags: JSON.stringify([...new Set(flags)].sort()),
      })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .execute();
  }
}
