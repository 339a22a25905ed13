import { randomUUID } from 'node:crypto';
import type { DeviceCaller } from '../http/caller.ts';
import { scanLock } from '../storage/locks.ts';
import type { Rows } from '../storage/bulk.ts';
import type { Db, Storage } from '../storage/open.ts';
import { valueList } from '../storage/value-list.ts';
import type { Tx } from '../storage/transaction.ts';
import { changedGroups } from './changes.ts';

/**
 * Serializes the scans of a device, because the changes of a scan are computed from the stored
 * apps.
 */
export const lockScans = (tx: Tx, devices: readonly DeviceCaller[]): Promise<void> =>
  devices.length === 0
    ? Promise.resolve()
    : tx.lock(...new Set(devices.map(({ deviceId }) => scanLock(deviceId))));

/** Records which app groups these scans change, before the scans are stored. */
export async function recordChangedGroups(
  tx: Tx,
  devices: readonly DeviceCaller[],
  apps: Rows<'apps'>,
): Promise<void> {
  const token = randomUUID();
  const changes: Rows<'app_changes'>[number][] = [];
  for (const [tenant_id, of] of Map.groupBy(devices, ({ tenantId }) => tenantId)) {
    const ids = [...new Set(of.map(({ deviceId }) => deviceId))].sort();
    const known = Map.groupBy(await listKnown(tx, tenant_id, ids), (app) => app.device_id);
    const scanned = Map.groupBy(apps, ({ device_id }) => device_id);
    for (const { id: device_id, scanned_at, enrolled_at } of await listScans(tx, tenant_id, ids)) {
      const groups = changedGroups({
        known: known.get(device_id) ?? [],
        scannedAt: scanned_at,
        enrolledAgain: scanned_at !== null && enrolled_at >= scanned_at,
        scanned: (scanned.get(device_id) ?? []).map((app) => ({
          ...app,
          version: app.version ?? null,
        })),
      });
      for (const group_id of groups) changes.push({ tenant_id, group_id, device_id, token });
    }
  }
  await storeChanges(tx, changes);
}

const changeMerging = {
  key: ['tenant_id', 'group_id', 'device_id'],
  add: [],
  set: ['token'],
} as const;

/** Records the groups of deleted apps as changed. */
export async function recordDeletedApps(
  tx: Tx,
  tenant_id: string,
  apps: readonly { group_id: string; device_id: string }[],
): Promise<void> {
  const token = randomUUID();
  const changes = apps
    .filter(({ group_id }) => group_id !== '')
    .map(
      ({ group_id, device_id }) => [`${group_id} ${device_id}`, { group_id, device_id }] as const,
    );
  const distinct = [...new Map(changes).values()];
  await storeChanges(
    tx,
    distinct.map((change) => ({ tenant_id, ...change, token })),
  );
}

export async function storeChanges(
  tx: Tx,
  changes: readonly Rows<'app_changes'>[number][],
): Promise<void> {
  // Rows are sorted by key, to avoid deadlocks between processes.
  const keyOf = (row: Rows<'app_changes'>[number]) =>
    `${row.tenant_id} ${row.group_id} ${row.device_id}`;
  const sorted = changes.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  await tx.bulk.merge('app_changes', changeMerging, sorted);
}

const listKnown = (tx: Tx, tenantId: string, devices: readonly string[]) =>
  tx.db
    .selectFrom('apps')
    .select(['device_id', 'id', 'group_id', 'version', 'risk_flags', 'last_seen'])
    .where('tenant_id', '=', tenantId)
    .where('device_id', 'in', valueList(devices))
    .execute();

const listScans = (tx: Tx, tenantId: string, devices: readonly string[]) =>
  tx.db
    .selectFrom('devices')
    .select(['id', 'scanned_at', 'enrolled_at'])
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', valueList(devices))
    .execute();

/**
 * Assigns groups to at most `most` apps that were stored before groups existed, and records them as
 * changed. Returns their number.
 */
export async function groupEarlierApps(
  storage: Storage,
  tenantId: string,
  groupIdOf: (app: EarlierApp) => string,
  most: number,
): Promise<number> {
  return storage.transaction(async (tx) => {
    const apps = await listUngrouped(tx.db, tenantId, most);
    const token = randomUUID();
    const changes = new Map<string, Rows<'app_changes'>[number]>();
    for (const app of apps) {
      const { id, device_id } = app;
      const group_id = groupIdOf(app);
      await tx.db
        .updateTable('apps')
        .set({ group_id })
        .where('tenant_id', '=', tenantId)
        .where('id', '=', id)
        .execute();
      const change = { tenant_id: tenantId, group_id, device_id, token };
      changes.set(`${group_id} ${device_id}`, change);
    }
    await storeChanges(tx, [...changes.values()]);
    return apps.length;
  });
}

export type EarlierApp = Awaited<ReturnType<typeof listUngrouped>>[number];

const listUngrouped = (db: Db, tenantId: string, most: number) =>
  db
    .selectFrom('apps')
    .select(['id', 'device_id', 'kind', 'name', 'catalog_id', 'evidence'])
    .where('tenant_id', '=', tenantId)
    .where('group_id', '=', '')
    .limit(most)
    .execute();
