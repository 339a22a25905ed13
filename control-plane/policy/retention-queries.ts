import { dayOf } from '../lib/days.ts';
import { firstIdAt } from '../lib/ids.ts';
import type { Storage, Trx } from '../storage/open.ts';

interface Old {
  tenantId: string;
  /** What is older is deleted; milliseconds since 1970. */
  cutoff: number;
  most: number;
}

/**
 * Deletes checks, incidents that were resolved, and approvals that no longer hold. Answers how many
 * went.
 */
export async function deleteGovernance(trx: Trx, storage: Storage, old: Old): Promise<number> {
  const checks = await deleteChecks(trx, storage, old);
  const incidents = await deleteIncidents(trx, storage, old);
  return checks + incidents + (await deleteApprovals(trx, storage, old));
}

/** What was answered about a run goes with the run. */
async function deleteChecks(
  trx: Trx,
  { bulk }: Storage,
  { tenantId, cutoff, most }: Old,
): Promise<number> {
  const rows = await trx
    .selectFrom('policy_checks')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '<', firstIdAt('evl', cutoff))
    .orderBy('id')
    .limit(most)
    .execute();
  if (rows.length > 0)
    await trx
      .deleteFrom('policy_checks')
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', bulk.list(rows.map(({ id }) => id)))
      .execute();
  const isAll = rows.length < most;
  return rows.length + (isAll ? await deletePolicySets(trx, tenantId, cutoff) : 0);
}

/** Of days of which no check is left; one that was asked before midnight may be stored after it. */
async function deletePolicySets(trx: Trx, tenantId: string, cutoff: number): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('asked_policies')
    .where('tenant_id', '=', tenantId)
    .where('day', '<', dayOf(cutoff) - 1)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

async function deleteIncidents(
  trx: Trx,
  { bulk }: Storage,
  { tenantId, cutoff, most }: Old,
): Promise<number> {
  const rows = await trx
    .selectFrom('incidents')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('status', '=', 'resolved')
    // What a person resolved while the rule still finds it would be opened again, as if it were new.
    .where('holds', '=', 0)
    .where('created_at', '<', cutoff)
    .where('updated_at', '<', cutoff)
    .limit(most)
    .execute();
  if (rows.length === 0) return 0;
  await trx
    .deleteFrom('incidents')
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', bulk.list(rows.map(({ id }) => id)))
    .execute();
  return rows.length;
}

/** Requests that can no longer be decided, and decisions that no longer count. */
async function deleteApprovals(
  trx: Trx,
  { bulk }: Storage,
  { tenantId, cutoff, most }: Old,
): Promise<number> {
  const rows = await trx
    .selectFrom('approvals')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('created_at', '<', cutoff)
    .where('holds_until', '<', cutoff)
    .orderBy('created_at')
    .limit(most)
    .execute();
  if (rows.length === 0) return 0;
  await trx
    .deleteFrom('approvals')
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', bulk.list(rows.map(({ id }) => id)))
    .execute();
  return rows.length;
}

/** What is remembered of subjects that nobody asked about for so long is of no use. */
export async function forgetStates(
  { db }: Storage,
  tenantId: string,
  before: number,
): Promise<void> {
  await db
    .deleteFrom('policy_states')
    .where('tenant_id', '=', tenantId)
    .where('updated_at', '<', before)
    .execute();
}
