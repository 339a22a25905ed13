import { dayOf } from '../lib/calendar.ts';
import { firstIdAt } from '../lib/ids.ts';
import { deleteOlder, deleteSelected } from '../storage/delete-rows.ts';
import type { Tx } from '../storage/transaction.ts';

const HOUR_MS = 3_600_000;

interface Old {
  tenantId: string;
  /** Older rows are deleted; in milliseconds since 1970. */
  cutoff: number;
  limit: number;
}

/**
 * Deletes checks, resolved incidents, and approvals that are no longer valid. Returns the number of
 * deleted rows.
 */
export async function deleteGovernance(tx: Tx, old: Old): Promise<number> {
  const checks = await deleteChecks(tx, old);
  const incidents = await deleteIncidents(tx, old);
  const hours = await deleteIncidentHours(tx, old);
  return checks + incidents + hours + (await deleteApprovals(tx, old));
}

/** Deletes checks. Evaluations of a run are deleted with the run. */
async function deleteChecks(tx: Tx, { tenantId, cutoff, limit }: Old): Promise<number> {
  const old = tx.db
    .selectFrom('policy_checks')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '<', firstIdAt('evl', cutoff))
    .orderBy('id')
    .limit(limit);
  const rows = await deleteSelected(tx, 'policy_checks', tenantId, old);
  const isAll = rows.length < limit;
  return rows.length + (isAll ? await deletePolicySets(tx, tenantId, cutoff) : 0);
}

/**
 * Deletes policy sets of days without checks. A check that was requested before midnight may be
 * stored after it, which is why one more day is kept.
 */
async function deletePolicySets(tx: Tx, tenantId: string, cutoff: number): Promise<number> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('policy_sets')
    .where('tenant_id', '=', tenantId)
    .where('day', '<', dayOf(cutoff) - 1)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

async function deleteIncidents(tx: Tx, { tenantId, cutoff, limit }: Old): Promise<number> {
  const old = tx.db
    .selectFrom('incidents')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('status', '=', 'resolved')
    // An incident that was resolved by a person while its rule still matches would reopen as a new
    // one.
    .where('holds', '=', 0)
    .where('created_at', '<', cutoff)
    .where('updated_at', '<', cutoff)
    .limit(limit);
  const rows = await deleteSelected(tx, 'incidents', tenantId, old);
  return rows.length;
}

async function deleteIncidentHours(tx: Tx, { tenantId, cutoff, limit }: Old): Promise<number> {
  const key = ['group_id', 'hour'] as const;
  const before = Math.floor(cutoff / HOUR_MS);
  return deleteOlder(tx, 'incident_hours', { tenantId, key, column: 'hour', before, limit });
}

/** Deletes requests that can no longer be decided, and decisions that are no longer valid. */
async function deleteApprovals(tx: Tx, { tenantId, cutoff, limit }: Old): Promise<number> {
  const old = tx.db
    .selectFrom('approvals')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('created_at', '<', cutoff)
    .where('holds_until', '<', cutoff)
    .orderBy('created_at')
    .limit(limit);
  const rows = await deleteSelected(tx, 'approvals', tenantId, old);
  return rows.length;
}

/** Deletes the state of subjects that had no check since `before`. */
export async function deleteUnusedStates(tx: Tx, tenantId: string, before: number): Promise<void> {
  await tx.db
    .deleteFrom('policy_states')
    .where('tenant_id', '=', tenantId)
    .where('updated_at', '<', before)
    .execute();
}
