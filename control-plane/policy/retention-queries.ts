import { dayOf } from '../lib/days.ts';
import { firstIdAt } from '../lib/ids.ts';
import type { Storage, Trx } from '../storage/open.ts';

interface Old {
  tenantId: string;
  /** Older rows are deleted; milliseconds since 1970. */
  cutoff: number;
  most: number;
}

/**
 * Deletes checks, resolved incidents, and approvals that are no longer valid. Returns the number of
 * deleted rows.
 */
export async function deleteGovernance(trx: Trx, storage: Storage, old: Old): Promise<number> {
  const checks = await deleteChecks(trx, storage, old);
  const incidents = await deleteIncidents(trx, storage, old);
  return checks + incidents + (await deleteApprovals(trx, storage, old));
}

/** Evaluations of a run are deleted with the run. */
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

/**
 * Deletes policy sets of days without checks. A check requested before midnight may be stored after
 * it, hence the extra day.
 */
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
    // An incident resolved by a person while its rule still matches would reopen as if it were new.
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

/** Deletes requests that can no longer be decided, and decisions that are no longer valid. */
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

/** Deletes the state of subjects that had no check since `before`. */
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
