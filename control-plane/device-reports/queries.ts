import { type Insertable, sql } from 'kysely';
import type { DeviceCaller } from '../http/caller.ts';
import type { Rows } from '../storage/bulk.ts';
import { mergeRows } from '../storage/merge-rows.ts';
import type { Db, Storage } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import { valueList } from '../storage/value-list.ts';
import type { Tx } from '../storage/transaction.ts';
import { appMerging, flowMerging, gapMerging, pauseMerging } from './rules.ts';

export interface Batch {
  device: DeviceCaller;
  batchId: string;
}

const BATCH_KEY = ['tenant_id', 'device_id', 'batch_id'] as const;

/** Returns for each batch whether it is new. Repeated batches must not be stored again. */
export async function claimBatches(
  tx: Tx,
  batches: readonly Batch[],
  now: number,
): Promise<boolean[]> {
  const rows = batches.map(({ device, batchId }) => ({
    tenant_id: device.tenantId,
    device_id: device.deviceId,
    batch_id: batchId,
    received_at: now,
  }));
  const keyOf = (row: (typeof rows)[number]): string => BATCH_KEY.map((c) => row[c]).join('\0');
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  // The batches are sorted by key, which prevents deadlocks between processes.
  const distinct = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1));
  const added = await tx.bulk.insertNew(
    'device_batches',
    BATCH_KEY,
    distinct.map(([, row]) => row),
  );
  const fresh = new Set(distinct.filter((_, index) => added[index]).map(([key]) => key));
  // Of two copies of a batch, the first counts as new.
  return rows.map((row) => fresh.delete(keyOf(row)));
}

/** Whether this batch was already stored. */
export async function isDuplicate(db: Db, { device, batchId }: Batch): Promise<boolean> {
  const row = await db
    .selectFrom('device_batches')
    .select('batch_id')
    .where('tenant_id', '=', device.tenantId)
    .where('device_id', '=', device.deviceId)
    .where('batch_id', '=', batchId)
    .executeTakeFirst();
  return row !== undefined;
}

export interface ReportRows {
  flows: Rows<'flows'>;
  apps: Rows<'apps'>;
  captures: Rows<'captures'>;
}

/** Stores reports. Returns the captures that were not stored yet; flows and apps are merged. */
export async function storeReports(
  tx: Tx,
  { flows, apps, captures }: ReportRows,
): Promise<Rows<'captures'>> {
  await tx.bulk.merge('flows', flowMerging, mergeRows(flowMerging, flows));
  await tx.bulk.merge('apps', appMerging, mergeRows(appMerging, apps));
  const added = await tx.bulk.insertNew('captures', ['tenant_id', 'id'], captures);
  return captures.filter((_, index) => added[index]);
}

export async function storeGaps(storage: Storage, rows: Rows<'observation_gaps'>): Promise<void> {
  if (rows.length === 0) return;
  await storage.transaction((tx) =>
    tx.bulk.merge('observation_gaps', gapMerging, mergeRows(gapMerging, rows)),
  );
}

export async function storePauses(storage: Storage, rows: Rows<'capture_pauses'>): Promise<void> {
  if (rows.length === 0) return;
  await storage.transaction((tx) =>
    tx.bulk.merge('capture_pauses', pauseMerging, mergeRows(pauseMerging, rows)),
  );
}

type DeviceActivity = Partial<Insertable<Tables['devices']>> & { last_seen: number };

/** Updates a device's last activity, which includes every request. */
export async function touchDevice(
  tx: Tx,
  device: DeviceCaller,
  activity: DeviceActivity,
): Promise<void> {
  await tx.db
    .updateTable('devices')
    .set(activity)
    .where('tenant_id', '=', device.tenantId)
    .where('id', '=', device.deviceId)
    .execute();
}

/**
 * Updates the last activity of many devices. It uses raw SQL, because it runs for every group of
 * reports.
 */
export async function touchDevices(
  tx: Tx,
  devices: readonly DeviceCaller[],
  activity: DeviceActivity,
): Promise<void> {
  for (const tenantId of new Set(devices.map((device) => device.tenantId))) {
    const ids = devices
      .filter((device) => device.tenantId === tenantId)
      .map((device) => device.deviceId);
    const set = Object.entries(activity).map(
      ([column, value]) => sql`${sql.ref(column)} = ${value}`,
    );
    await sql`
      update devices set ${sql.join(set)}
      where tenant_id = ${tenantId} and id in ${valueList([...new Set(ids)].sort())}`.execute(
      tx.db,
    );
  }
}
