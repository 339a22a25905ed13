import type { Storage } from '../storage/open.ts';
import type { Tx } from '../storage/transaction.ts';
import { NO_COUNTS, openQuotaUsage } from '../tenants/quota-usage/open-quota-usage.ts';
import type { TenantState } from '../tenants/queries.ts';
import { storeTally, deleteEmptyTotals } from '../usage/queries.ts';
import { newTally } from '../usage/tally.ts';
import type { Recording } from './queries.ts';

/** The quotas to count in a transaction that records runs or calls. */
export interface Admission {
  /** The tenants whose quotas count a run, by the tenant of the run. */
  tenants: ReadonlyMap<string, readonly TenantState[]>;
  now: number;
}

/**
 * Runs `work`, which writes rows and counts them, and then stores the used quotas and the totals.
 *
 * The rows of quotas are locked before those of runs and traces, so that a run that is admitted
 * cannot exceed a quota. Every recorder follows this order, and nothing else locks the rows of
 * quotas. The rows of totals are locked last; only the lock of the audit log may come later.
 */
export async function runRecording<T>(
  tx: Tx,
  { search }: Pick<Storage, 'search'>,
  work: (recording: Recording) => Promise<T>,
  admission?: Admission,
): Promise<T> {
  const quotas = admission ? await openQuotaUsage(tx, admission.tenants, admission.now) : NO_COUNTS;
  const recording: Recording = { ...tx, search, quotas, tally: newTally(), emptiesTotals: false };
  const result = await work(recording);
  await quotas.store();
  await storeTally(tx, recording.tally);
  if (recording.emptiesTotals) await deleteEmptyTotals(tx, recording.tally);
  return result;
}
