import { sql } from 'kysely';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';
import { valueList } from '../storage/value-list.ts';

type Experiment = Tables['experiments'];
export type ClaimedExperiment = Pick<
  Experiment,
  'tenant_id' | 'id' | 'lease_id' | 'content' | 'config' | 'evaluators' | 'concurrency'
>;
export type Lease = Pick<Experiment, 'tenant_id' | 'id' | 'lease_id'>;

interface Claiming {
  now: number;
  /**
   * Ids of what this process runs: after a stall their leases have expired, and they are renewed, not
   * run a second time.
   */
  except: readonly string[];
}

/** The oldest experiment that no process runs; undefined if there is none. */
export function findFree(db: Db, { now, except }: Claiming) {
  let free = db
    .selectFrom('experiments')
    .select(['tenant_id', 'id'])
    .where('status', '=', sql.lit('running'))
    .where('lease_until', '<', now);
  if (except.length > 0) free = free.where('id', 'not in', valueList(except));
  return free.orderBy('created_at').limit(1).executeTakeFirst();
}

/** Claims the oldest experiment that no process runs; undefined if there is none. */
export async function claimExperiment(
  tx: Tx,
  lease: Pick<Experiment, 'lease_id' | 'lease_until'>,
  claiming: Claiming,
): Promise<ClaimedExperiment | undefined> {
  const free = await findFree(tx.db, claiming);
  if (!free) return undefined;
  return tx.db
    .updateTable('experiments')
    .set(lease)
    .where('tenant_id', '=', free.tenant_id)
    .where('id', '=', free.id)
    .where('status', '=', 'running')
    .where('lease_until', '<', claiming.now)
    .returning(['tenant_id', 'id', 'lease_id', 'content', 'config', 'evaluators', 'concurrency'])
    .executeTakeFirst();
}

/**
 * Changes an experiment while this lease is valid, and locks it. False if it was cancelled or
 * deleted, or another process has taken over.
 */
export async function changeLeased(
  tx: Tx,
  { tenant_id, id, lease_id }: Lease,
  change: Partial<Pick<Experiment, 'status' | 'completed_at' | 'lease_until'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('experiments')
    .set(change)
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('lease_id', '=', lease_id)
    .where('status', '=', 'running')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Locks an experiment, also one that was cancelled. False if it was deleted, or another process has
 * taken over.
 */
export async function lockLeased(tx: Tx, { tenant_id, id, lease_id }: Lease): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('experiments')
    .set({ lease_id })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('lease_id', '=', lease_id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const resultsOf = (db: Db, { tenant_id, id }: Lease) =>
  db
    .selectFrom('experiment_results')
    .where('tenant_id', '=', tenant_id)
    .where('experiment_id', '=', id);

/** The items without a result, in their order. */
export async function listPending(db: Db, lease: Lease): Promise<string[]> {
  const rows = await resultsOf(db, lease)
    .select('item_id')
    .where('status', '=', 'pending')
    .orderBy('position')
    .execute();
  return rows.map(({ item_id }) => item_id);
}

export const findInput = (db: Db, lease: Lease, itemId: string) =>
  resultsOf(db, lease)
    .select(['input', 'expected_output'])
    .where('item_id', '=', itemId)
    .executeTakeFirst();

export type StoredOutcome = Pick<
  Tables['experiment_results'],
  | 'status'
  | 'latency_ms'
  | 'tokens_in'
  | 'tokens_out'
  | 'cost'
  | 'evaluation_cost'
  | 'completed_at'
  | 'error'
  | 'output_preview'
  | 'missing_variables'
  | 'ignored_settings'
  | 'tool_calls'
  | 'output'
>;
export type StoredScore = Pick<
  Tables['experiment_scores'],
  'name' | 'value' | 'passed' | 'reason' | 'error'
>;

/** Stores the result of an item that has none. Call it with the experiment locked. */
export async function storeResult(
  tx: Tx,
  { tenant_id, id }: Lease,
  itemId: string,
  { outcome, scores }: { outcome: StoredOutcome; scores: readonly StoredScore[] },
): Promise<void> {
  const { numUpdatedRows } = await tx.db
    .updateTable('experiment_results')
    .set(outcome)
    .where('tenant_id', '=', tenant_id)
    .where('experiment_id', '=', id)
    .where('item_id', '=', itemId)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  if (numUpdatedRows === 0n || scores.length === 0) return;
  await tx.db
    .insertInto('experiment_scores')
    .values(scores.map((score) => ({ ...score, tenant_id, experiment_id: id, item_id: itemId })))
    .execute();
}
