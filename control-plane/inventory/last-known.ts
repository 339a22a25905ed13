import type { NotRead } from '#contract/inventory.ts';
import type { DeviceCaller } from '../http/caller.ts';
import type { Rows } from '../storage/bulk.ts';
import type { Tx } from '../storage/transaction.ts';
import { reasonMissing, withLastKnown } from './last-known-line.ts';

type AppRow = Rows<'apps'>[number];

export interface PartialScan {
  device: DeviceCaller;
  notRead: readonly NotRead[];
}

/**
 * The maximum number of apps that are kept, which is that of a report, even if files change with
 * every scan.
 */
const MAX_KEPT = 5000;

/**
 * Returns apps of the previous scan that are missing only because their file was not read or the
 * report was full. They still count as present and are marked as last known. `scanned` are the apps
 * of this scan.
 */
export async function lastKnownApps(
  tx: Tx,
  scans: readonly PartialScan[],
  scanned: Rows<'apps'>,
  now: number,
): Promise<AppRow[]> {
  const seen = new Set(scanned.map(({ id }) => id));
  const kept: AppRow[] = [];
  for (const { device, notRead } of scans.filter((scan) => scan.notRead.length > 0)) {
    const present = await listPresentApps(tx, device);
    const unseen = present.filter(({ id }) => !seen.has(id));
    kept.push(...unseen.flatMap((row) => keptRow(row, notRead, now)).slice(0, MAX_KEPT));
  }
  return kept;
}

function keptRow(
  row: AppRow & { last_seen: number },
  notRead: readonly NotRead[],
  now: number,
): AppRow[] {
  const evidence = JSON.parse(row.evidence) as string[];
  const why = reasonMissing({ ...row, evidence }, notRead);
  if (why === null) return [];
  const marked = withLastKnown(evidence, { seen_at: row.last_seen, why });
  return [{ ...row, evidence: JSON.stringify(marked), last_seen: now }];
}

/**
 * Lists the apps that were present at the latest scan: first those with findings of rules, then the
 * oldest.
 */
async function listPresentApps(tx: Tx, { tenantId, deviceId }: DeviceCaller) {
  const rows = await tx.db
    .selectFrom('apps')
    .innerJoin('devices', (join) =>
      join
        .onRef('devices.tenant_id', '=', 'apps.tenant_id')
        .onRef('devices.id', '=', 'apps.device_id')
        .onRef('devices.scanned_at', '=', 'apps.last_seen'),
    )
    .selectAll('apps')
    .where('apps.tenant_id', '=', tenantId)
    .where('apps.device_id', '=', deviceId)
    .orderBy('apps.first_seen')
    .orderBy('apps.id')
    .execute();
  const held = await listGroupsWithOpenIncidents(tx, tenantId, deviceId);
  return rows.toSorted((a, b) => Number(held.has(b.group_id)) - Number(held.has(a.group_id)));
}

async function listGroupsWithOpenIncidents(
  tx: Tx,
  tenantId: string,
  deviceId: string,
): Promise<ReadonlySet<string | null>> {
  const rows = await tx.db
    .selectFrom('incidents')
    .select('app_group_id')
    .where('tenant_id', '=', tenantId)
    .where('device_id', '=', deviceId)
    .where('holds', '=', 1)
    .execute();
  return new Set(rows.map((row) => row.app_group_id));
}
