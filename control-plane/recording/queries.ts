import type { Insertable } from 'kysely';
import type { RunTotals } from './run-totals.ts';
import type { RowLock } from '../storage/bulk.ts';
import type { SearchIndex } from '../storage/search/search-index.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';
import type { DayCounts } from '../tenants/quota-usage/open-quota-usage.ts';
import { countEnd, countRun, countRunHour, type RunRef } from '../usage/count.ts';
import type { Tally } from '../usage/tally.ts';

type Without<T extends keyof Tables, K extends keyof Tables[T]> = Omit<Insertable<Tables[T]>, K>;

type OfRun = 'tenant_id' | 'run_id';
export type NewRun = Without<'runs', 'id' | 'workflow_id' | 'llm_call_count' | 'tokens' | 'cost'>;
export type NewCall = Without<
  'llm_calls',
  OfRun | 'id' | 'agent_name' | 'workflow_name' | 'prompt_counted'
>;
export type NewStep = Without<'steps', OfRun | 'id'>;
export type NewSpan = Without<'spans', OfRun | 'id'>;
export type NewScore = Omit<Tables['scores'], OfRun | 'run_agent_name'>;

/** Telemetry of one run. */
export interface Telemetry {
  calls?: readonly NewCall[];
  steps?: readonly NewStep[];
  spans?: readonly NewSpan[];
  scores?: readonly NewScore[];
}

export type RunEnd = Pick<Tables['runs'], 'result' | 'error' | 'completed_at'> & {
  status: 'success' | 'error';
  completed_at: number;
};

/** A recording transaction. Rows are written immediately, and totals just before the commit. */
export interface Recording extends Tx {
  search: Pick<SearchIndex, 'enqueue' | 'changed'>;
  tally: Tally;
  /** Today's usage of tenants with quotas. */
  quotas: DayCounts;
  /** Set if runs, calls or scores are deleted or moved: totals that are then empty are deleted too. */
  emptiesTotals: boolean;
}

/** A policy's evaluation at the start of a run. */
export type NewEvaluation = Omit<Insertable<Tables['evaluations']>, OfRun>;

/** Inserts started runs, by default without calls, and returns them in the same order. */
export async function startRuns(
  recording: Recording,
  runs: readonly (NewRun & Partial<RunTotals>)[],
): Promise<(RunRef & { workflow_id: number })[]> {
  const workflows = await workflowsOf(recording, runs);
  const rows = runs.map((run) => ({
    llm_call_count: 0,
    tokens: 0,
    cost: 0,
    ...run,
    workflow_id: workflows.get(pairKey(run)) as number,
  }));
  const ids = await recording.bulk.insertCounted('runs', rows);
  return rows.map((row, index) => {
    const run = {
      ...row,
      id: ids[index] as number,
      session_id: row.session_id ?? null,
      user_id: row.user_id ?? null,
      end_user_id: row.end_user_id ?? null,
    };
    countRun(recording.tally, run);
    countRunHour(recording.tally, run, 1);
    return run;
  });
}

interface Pair {
  tenant_id: string;
  agent_name: string;
  workflow_name: string;
}

export const pairKey = ({ tenant_id, agent_name, workflow_name }: Pair): string =>
  JSON.stringify([tenant_id, agent_name, workflow_name]);

/** Returns the ids of the workflows of these pairs. New workflows are inserted. */
export async function workflowsOf(tx: Tx, pairs: readonly Pair[]): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  const distinct = new Map(pairs.map((pair) => [pairKey(pair), pair]));
  for (const [key, pair] of [...distinct].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { tenant_id, agent_name, workflow_name } = pair;
    const find = () =>
      tx.db
        .selectFrom('workflows')
        .select('id')
        .where('tenant_id', '=', tenant_id)
        .where('agent_name', '=', agent_name)
        .where('workflow_name', '=', workflow_name)
        .executeTakeFirst();
    let existing = await find();
    if (!existing) {
      const identity = ['tenant_id', 'agent_name', 'workflow_name'] as const;
      await tx.bulk.insertNew('workflows', identity, [{ tenant_id, agent_name, workflow_name }]);
      existing = await find();
    }
    if (!existing) throw new Error('workflow missing after its insert');
    ids.set(key, existing.id);
  }
  return ids;
}

export const RUN_REF = [
  'tenant_id',
  'id',
  'agent_name',
  'workflow_name',
  'session_id',
  'user_id',
  'end_user_id',
  'status',
  'started_at',
] as const;

/** Finds the runs of a tenant with these ids and locks them. Missing ids are omitted. */
export async function findRuns(
  tx: Tx,
  tenantId: string,
  ids: readonly number[],
  lock: RowLock = 'key share',
): Promise<Map<number, RunRef>> {
  const runs = await tx.bulk.find('runs', RUN_REF, { tenantId, by: 'id', values: ids, lock });
  return new Map(runs.map((run) => [run.id, run]));
}

/** Ends an active run. Returns false if the run is not active. */
export async function completeRun(
  { db, tally }: Recording,
  run: RunRef,
  end: RunEnd,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('runs')
    .set(end)
    .where('tenant_id', '=', run.tenant_id)
    .where('id', '=', run.id)
    .where('status', '=', 'running')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  countEnd(tally, run, end.status, end.completed_at);
  return true;
}
