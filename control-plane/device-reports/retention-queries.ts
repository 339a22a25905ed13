import { summarizeDeviceApps } from '../inventory/device-app-queries.ts';
import { recordDeletedApps } from '../inventory/queries.ts';
import { deleteOlder, deleteSelected } from '../storage/delete-rows.ts';
import type { Tx } from '../storage/transaction.ts';

interface Old {
  tenantId: string;
  cutoff: number;
  limit: number;
}

/** Low, because a capture can be a thousand times as large as any other row. */
const CAPTURES_IN_A_STEP = 20;

/**
 * Deletes reports that began, or were last seen, before `cutoff`: at most `limit` flows and `limit`
 * apps, and all gaps and pauses. Returns the number of deleted rows.
 */
export const deleteReports = async (tx: Tx, old: Old): Promise<number> =>
  (await deleteTimes(tx, old)) + (await deleteFlows(tx, old)) + (await deleteApps(tx, old));

/**
 * Deletes some captures that began before `cutoff`. Returns how many were deleted, or `limit` if
 * there may be more.
 */
export async function deleteCaptures(tx: Tx, old: Old): Promise<number> {
  const { tenantId, cutoff, limit } = old;
  const selected = tx.db
    .selectFrom('captures')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('started_at', '<', cutoff)
    .limit(CAPTURES_IN_A_STEP);
  const captures = await deleteSelected(tx, 'captures', tenantId, selected);
  return captures.length === CAPTURES_IN_A_STEP ? limit : captures.length;
}

const deleteFlows = (tx: Tx, { tenantId, cutoff, limit }: Old): Promise<number> =>
  deleteOlder(tx, 'flows', {
    tenantId,
    key: ['device_id', 'id'],
    column: 'started_at',
    before: cutoff,
    limit,
  });

/** Deletes gaps and pauses, all at once, because a heartbeat reports at most 20 of each. */
async function deleteTimes(tx: Tx, { tenantId, cutoff }: Old): Promise<number> {
  let deleted = 0;
  for (const table of ['observation_gaps', 'capture_pauses'] as const) {
    const { numDeletedRows } = await tx.db
      .deleteFrom(table)
      .where('tenant_id', '=', tenantId)
      .where('started_at', '<', cutoff)
      .executeTakeFirst();
    deleted += Number(numDeletedRows);
  }
  return deleted;
}

/**
 * Deletes apps that have not been seen for this long, because they were removed, or their device
 * was.
 */
async function deleteApps(tx: Tx, { tenantId, cutoff, limit }: Old): Promise<number> {
  const selected = tx.db
    .selectFrom('apps')
    .select(['id', 'group_id', 'device_id'])
    .where('tenant_id', '=', tenantId)
    .where('last_seen', '<', cutoff)
    .limit(limit);
  const old = await deleteSelected(tx, 'apps', tenantId, selected);
  await recordDeletedApps(tx, tenantId, old);
  await summarizeDeviceApps(
    tx,
    tenantId,
    old.map(({ device_id }) => device_id),
  );
  return old.length;
}

/** Deletes ids of batches that devices no longer retry. Returns how many were deleted. */
export const deleteReportBatches = (
  tx: Tx,
  tenantId: string,
  before: number,
  limit: number,
): Promise<number> =>
  deleteOlder(tx, 'device_batches', {
    tenantId,
    key: ['device_id', 'batch_id'],
    column: 'received_at',
    before,
    limit,
  });
