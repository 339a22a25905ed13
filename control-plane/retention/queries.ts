import type { ExpressionBuilder, Transaction } from 'kysely';
import {
  deleteCaptures,
  deleteReportBatches,
  deleteReports,
} from '../device-reports/retention-queries.ts';
import { deleteOldBatches } from '../recording/batch-queries.ts';
import { deleteOfRun, type OldRun } from '../recording/removal-queries.ts';
import { deleteGovernance } from '../policy/retention-queries.ts';
import type { Db, Storage } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import { storeTally, sweepTotals } from '../usage/queries.ts';
import { newTally } from '../usage/tally.ts';

/** Retention in days of recordings and of captures per tenant; null: unlimited. */
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

export async function listTenants(db: Db): Promise<string[]> {
  const tenants = await db.selectFrom('tenants').select('id').execute();
  return tenants.map(({ id }) => id);
}

/** Deletes ids of batches that clients no longer retry. Returns how many. */
export const deleteBatches = (
  storage: Storage,
  tenantId: string,
  before: number,
  limit: number,
): Promise<number> =>
  storage.db.transaction().execute((trx) => deleteOldBatches(trx, tenantId, before, limit));

/** The same for batches of devices, which may be offline longer. */
export const deleteDeviceBatches = (
  storage: Storage,
  tenantId: string,
  before: number,
  limit: number,
): Promise<number> =>
  storage.db.transaction().execute((trx) => deleteReportBatches(trx, tenantId, before, limit));

/** Deletes some captures that began before `cutoff`. Returns `limit` if there may be more. */
export const deleteOldCaptures = (
  storage: Storage,
  tenantId: string,
  cutoff: number,
  limit: number,
): Promise<number> =>
  storage.db
    .transaction()
    .execute((trx) => deleteCaptures(trx, storage, { tenantId, cutoff, limit }));

/**
 * Deletes about `limit` rows that began before `cutoff`, oldest first, and subtracts them from the
 * totals. Returns how many; fewer than `limit` means that none are left.
 */
export function deleteOld(
  storage: Storage,
  tenantId: string,
  cutoff: number,
  limit: number,
): Promise<number> {
  return storage.db.transaction().execute(async (trx) => {
    await storage.lock(trx, `retention ${tenantId}`);
    const { bulk, search } = storage;
    const tally = newTally();
    let deleted = await deleteEvents(trx, storage, tenantId, cutoff, limit);
    deleted += await deleteGovernance(trx, storage, { tenantId, cutoff, most: limit });
    deleted += await deleteReports(trx, storage, { tenantId, cutoff, limit });
    while (deleted < limit) {
      const run = await oldestRun(trx, tenantId, cutoff);
      if (!run) break;
      deleted += await deleteOfRun({ trx, bulk, search, tally, run }, limit - deleted);
    }
    await storeTally(trx, bulk, tally);
    await sweepTotals(trx, bulk, tally);
    return deleted;
  });
}

async function deleteEvents(
  trx: Transaction<Tables>,
  { bulk }: Storage,
  tenantId: string,
  cutoff: number,
  limit: number,
): Promise<number> {
  const rows = await trx
    .selectFrom('events')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('occurred_at', '<', cutoff)
    .limit(limit)
    .execute();
  await trx
    .deleteFrom('events')
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', bulk.list(rows.map(({ id }) => id)))
    .execute();
  return rows.length;
}

/**
 * Was anything recorded on this run since then? It is still active, however long ago it started.
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

function oldestRun(
  trx: Transaction<Tables>,
  tenantId: string,
  cutoff: number,
): Promise<OldRun | undefined> {
  return trx
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
