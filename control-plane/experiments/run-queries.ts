import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';
import { valueList } from '../storage/value-list.ts';

type Experiment = Selectable<Tables['experiments']>;
const claimed = [
  'tenant_id',
  'id',
  'lease_id',
  'attempt',
  'content',
  'config',
  'evaluators',
  'concurrency',
] as const;
export type ClaimedExperiment = Pick<Experiment, (typeof claimed)[number]>;
export type Lease = Pick<Experiment, 'tenant_id' | 'id' | 'lease_id'>;
/** A lease, with the number of the experiment's attempt. */
export type Attempt = Lease & Pick<Experiment, 'attempt'>;

interface Claiming {
  now: number;
  /**
   * The ids of experiments that this process runs. After a stall their leases have expired, and
   * must be renewed instead of being claimed again.
   */
  except: readonly string[];
}

/** Finds the oldest experiment that no process runs; undefined if there is none. */
export function findUnleasedExperiment(db: Db, { now, except }: Claiming) {
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
  const free = await findUnleasedExperiment(tx.db, claiming);
  if (!free) return undefined;
  return tx.db
    .updateTable('experiments')
    .set(lease)
    .where('tenant_id', '=', free.tenant_id)
    .where('id', '=', free.id)
    .where('status', '=', 'running')
    .where('lease_until', '<', claiming.now)
    .returning(claimed)
    .executeTakeFirst();
}

/**
 * Changes an experiment while this lease is valid, and locks it. Returns false if it was cancelled
 * or deleted, or if another process has taken over.
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
 * Locks an experiment, even if it was cancelled. Returns false if it was deleted, or if another
 * process has taken over.
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

/** Releases the lease of an experiment that is no longer running, so that it can be retried. */
export async function releaseEnded(tx: Tx, { tenant_id, id, lease_id }: Lease): Promise<void> {
  await tx.db
    .updateTable('experiments')
    .set({ lease_until: 0 })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('lease_id', '=', lease_id)
    .where('status', '!=', 'running')
    .execute();
}

const resultsOf = (db: Db, { tenant_id, id }: Lease) =>
  db
    .selectFrom('experiment_results')
    .where('tenant_id', '=', tenant_id)
    .where('experiment_id', '=', id);

/** Selects the items that have no result, or failed in an earlier attempt. */
const isToRun =
  ({ attempt }: Attempt) =>
  (eb: ExpressionBuilder<Tables, 'experiment_results'>) =>
    eb.or([
      eb('status', '=', 'pending'),
      eb.and([eb('status', '=', 'failed'), eb('attempt', '<', attempt)]),
    ]);

/** Lists the items to run, in their order. */
export async function listToRun(db: Db, lease: Attempt): Promise<string[]> {
  const rows = await resultsOf(db, lease)
    .select('item_id')
    .where(isToRun(lease))
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

/** Columns that are summed over all attempts of an item. */
const SPENT = ['tokens_in', 'tokens_out', 'cost', 'evaluation_cost'] as const;

/**
 * Stores the result of an item that has none or that failed in an earlier attempt. Must be called
 * with the experiment locked.
 */
export async function storeResult(
  tx: Tx,
  lease: Attempt,
  itemId: string,
  { outcome, scores }: { outcome: StoredOutcome; scores: readonly StoredScore[] },
): Promise<void> {
  const { tenant_id, id, attempt } = lease;
  const { numUpdatedRows } = await tx.db
    .updateTable('experiment_results')
    .set((eb) => ({
      ...outcome,
      attempt,
      ...Object.fromEntries(SPENT.map((column) => [column, eb(column, '+', outcome[column])])),
    }))
    .where('tenant_id', '=', tenant_id)
    .where('experiment_id', '=', id)
    .where('item_id', '=', itemId)
    .where(isToRun(lease))
    .executeTakeFirst();
  if (numUpdatedRows === 0n || scores.length === 0) return;
  const key = { tenant_id, experiment_id: id, item_id: itemId };
  await tx.db
    .insertInto('experiment_scores')
    .values(scores.map((score) => ({ ...score, ...key, attempt })))
    .execute();
}
