import { type Recording, RUN_REF } from '../../recording/queries.ts';
import type { Tables } from '../../storage/tables.ts';
import type { Tx } from '../../storage/transaction.ts';
import { countDuration, countRunHour, type RunRef } from '../../usage/count.ts';

export type StoredRun = RunRef & { completed_at: number | null };

const STORED_RUN = [...RUN_REF, 'completed_at'] as const;

/**
 * Finds runs by id and locks them until the transaction ends. Runs that retention deleted are
 * omitted.
 */
export async function findStoredRuns(
  tx: Tx,
  tenantId: string,
  ids: readonly number[],
): Promise<Map<number, StoredRun>> {
  if (ids.length === 0) return new Map();
  const where = { tenantId, by: 'id', values: ids, lock: 'no key update' } as const;
  const rows = await tx.bulk.find('runs', STORED_RUN, where);
  return new Map(rows.map((row) => [row.id, row]));
}

type Progress = Pick<Tables['runs'], 'status' | 'started_at' | 'completed_at' | 'error'> &
  Partial<Pick<Tables['runs'], 'metadata' | 'tags' | 'inputs' | 'result'>>;

/** Updates the progress of a run and its totals, even if the run had already ended. */
export async function progressRun(
  { db, tally }: Recording,
  run: StoredRun,
  progress: Progress,
): Promise<void> {
  await db
    .updateTable('runs')
    .set(progress)
    .where('tenant_id', '=', run.tenant_id)
    .where('id', '=', run.id)
    .execute();
  const { tenant_id, agent_name } = run;
  if (progress.status !== run.status) {
    tally.add('run_totals', { tenant_id, agent_name, status: run.status, run_count: -1 });
    tally.add('run_totals', { tenant_id, agent_name, status: progress.status, run_count: 1 });
  }
  countRunHour(tally, run, -1);
  countRunHour(tally, { ...progress, tenant_id }, 1);
  const change = durationOf(progress) - durationOf(run);
  countDuration(tally, { ...run, started_at: progress.started_at }, change);
}

/** The duration in milliseconds; 0 for an active run. */
export const durationOf = ({
  started_at,
  completed_at,
}: Pick<StoredRun, 'started_at' | 'completed_at'>): number =>
  completed_at === null ? 0 : completed_at - started_at;
