import type { ExpressionBuilder } from 'kysely';
import {
  deleteCaptures,
  deleteReportBatches,
  deleteReports,
} from '../device-reports/retention-queries.ts';
import { deleteCounters } from '../coding-agents/counter-queries.ts';
import { deleteOldExamples } from '../otel/unmapped-queries.ts';
import { deleteOldBatches } from '../recording/batch-id-queries.ts';
import { deleteRunRows, type RunToDelete } from '../recording/delete-run-queries.ts';
import { deleteGovernance } from '../policies/retention-queries.ts';
import { deleteSelected } from '../storage/delete-rows.ts';
import { retentionLock } from '../storage/locks.ts';
import type { Db, Storage } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';
import { runRecording } from '../recording/recording-transaction.ts';

/** Lists the retention of recordings and of captures per tenant, in days; null if unlimited. */
export async function listRetentions(
  db: Db,
): Promise<{ tenantId: string; days: number | null; captureDays: number | null }[]> {
  const rows = await db
    .selectFrom('tenant_settings')
    .select(['tenant_id', 'retention_days', 'capture_retention_days'])
    .execute();
  return rows.map(({ tenant_id: tenantId, retention_days: days, capture_retention_days }) => ({
    tenantId,
    days,
    captureDays: capture_retention_days ?? days,
  }));
}

/** Deletes ids of batches that clients no longer retry. Returns how many were deleted. */
export const deleteBatchIds = (
  storage: Storage,
  tenantId: string,
  before: number,
  limit: number,
): Promise<number> => storage.transaction((tx) => deleteOldBatches(tx, tenantId, before, limit));

/** Deletes ids of batches of devices, which may be offline longer than clients. */
export const deleteDeviceBatchIds = (
  storage: Storage,
  tenantId: string,
  before: number,
  limit: number,
): Promise<number> => storage.transaction((tx) => deleteReportBatches(tx, tenantId, before, limit));

/** Deletes some captures that began before `cutoff`. Returns `limit` if there may be more. */
export const deleteOldCaptures = (
  storage: Storage,
  tenantId: string,
  cutoff: number,
  limit: number,
): Promise<number> => storage.transaction((tx) => deleteCaptures(tx, { tenantId, cutoff, limit }));

/**
 * Deletes about `limit` rows that began before `cutoff`, oldest first, and subtracts them from the
 * totals. Returns how many were deleted; fewer than `limit` means that none are left.
 */
export function deleteOld(
  storage: Storage,
  tenantId: string,
  cutoff: number,
  limit: number,
): Promise<number> {
  return storage.transaction(async (tx) => {
    await tx.lock(retentionLock(tenantId));
    let deleted = await deleteEvents(tx, tenantId, cutoff, limit);
    deleted += await deleteGovernance(tx, { tenantId, cutoff, limit });
    deleted += await deleteCounters(tx, { tenantId, cutoff, limit });
    deleted += await deleteReports(tx, { tenantId, cutoff, limit });
    deleted += await deleteOldExamples(tx, { tenantId, cutoff, limit });
    await runRecording(tx, storage, async (recording) => {
      recording.emptiesTotals = true;
      while (deleted < limit) {
        const run = await oldestRun(tx, tenantId, cutoff);
        if (!run) break;
        deleted += await deleteRunRows({ ...recording, run }, limit - deleted);
      }
    });
    return deleted;
  });
}

async function deleteEvents(
  tx: Tx,
  tenantId: string,
  cutoff: number,
  limit: number,
): Promise<number> {
  const old = tx.db
    .selectFrom('events')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('occurred_at', '<', cutoff)
    .limit(limit);
  return (await deleteSelected(tx, 'events', tenantId, old)).length;
}

/**
 * Whether anything was recorded on this run since a time. Such a run is still active, however long
 * ago it started.
 */
const hasRecords = (eb: ExpressionBuilder<Tables, 'runs'>, since: number) =>
  eb.or(
    (['llm_calls', 'steps', 'spans'] as const).map((table) =>
      eb.exists(
        eb
          .selectFrom(`${table} as record` as 'steps as record')
          .select('record.id')
          .whereRef('record.tenant_id', '=', 'runs.tenant_id')
          .whereRef('record.run_id', '=', 'runs.id')
          .where('record.created_at', '>=', since),
      ),
    ),
  );

function oldestRun(tx: Tx, tenantId: string, cutoff: number): Promise<RunToDelete | undefined> {
  return tx.db
    .selectFrom('runs')
    .select(['tenant_id', 'id', 'agent_name', 'workflow_name', 'session_id', 'user_id'])
    .select(['end_user_id', 'status', 'started_at', 'completed_at'])
    .where('tenant_id', '=', tenantId)
    .where('started_at', '<', cutoff)
    .where((eb) => eb.or([eb('status', '<>', 'running'), eb.not(hasRecords(eb, cutoff))]))
    .orderBy('started_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}
