import { sql } from 'kysely';
import type { RunRef } from '../../usage/count.ts';
import type { StartEvaluation } from './evaluation-request.ts';
import { subjectLock } from '../../storage/locks.ts';
import type { Db } from '../../storage/open.ts';
import type { Tables } from '../../storage/tables.ts';
import type { PolicySetTable, EvaluationTable } from '../../storage/tables/governance.ts';
import { valueList } from '../../storage/value-list.ts';
import type { Tx } from '../../storage/transaction.ts';

/** Reads the columns of a run that policies evaluate. */
export async function findRun(tx: Tx, tenantId: string, runId: number) {
  return tx.db
    .selectFrom('runs')
    .select(['id', 'agent_name', 'workflow_name', 'session_id', 'user_id', 'user_group'])
    .select(['end_user_id', 'status', 'started_at', 'completed_at', 'tokens', 'cost'])
    .select(['llm_call_count', 'remembered', 'error', 'result'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', runId)
    .executeTakeFirst();
}

/** Counts a run's steps, and its tool and retry spans. */
export async function countWork(tx: Tx, tenantId: string, runId: number) {
  const steps = await tx.db
    .selectFrom('steps')
    .where('tenant_id', '=', tenantId)
    .where('run_id', '=', runId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const spans = await tx.db
    .selectFrom('spans')
    .where('tenant_id', '=', tenantId)
    .where('run_id', '=', runId)
    .groupBy('kind')
    .select('kind')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .execute();
  const spansOf = (name: 'tool' | 'retry'): number =>
    spans.find(({ kind }) => kind === name)?.count ?? 0;
  return {
    stepCount: steps.count,
    toolCallCount: spansOf('tool'),
    retryCount: spansOf('retry'),
  };
}

export interface SubjectKey {
  tenant_id: string;
  subject: string;
}

/** Reads the states of these subjects and locks them until the end of the transaction. */
export async function lockStates(
  tx: Tx,
  keys: readonly SubjectKey[],
): Promise<(SubjectKey & { states: string })[]> {
  if (keys.length === 0) return [];
  await tx.lock(...keys.map(subjectLock));
  const rows: (SubjectKey & { states: string })[] = [];
  for (const [tenantId, some] of Map.groupBy(keys, ({ tenant_id }) => tenant_id)) {
    const where = { tenantId, by: 'subject', values: some.map(({ subject }) => subject) } as const;
    const columns = ['tenant_id', 'subject', 'states'] as const;
    rows.push(...(await tx.bulk.find('policy_states', columns, where)));
  }
  return rows;
}

/** Lists the distinct policy, agent and workflow of all approval requests under these policies. */
export function listRequested(tx: Tx, tenantIds: readonly string[], policyIds: readonly string[]) {
  return tx.db
    .selectFrom('approvals')
    .select(['tenant_id', 'policy_id', 'agent_name', 'workflow_name'])
    .distinct()
    .where('tenant_id', 'in', valueList(tenantIds))
    .where('policy_id', 'in', valueList(policyIds))
    .execute();
}

/**
 * Returns the usage by model since an hour (in hours since 1970), of one agent, or of all agents if
 * it is null.
 */
export async function usageSince(tx: Tx, tenantId: string, agent: string | null, hour: number) {
  // Most checks run this query, and a query builder would take longer to build it than to run it.
  const { rows } = await sql<{ model: string; tokens: number; cost: number }>`
    select model, sum(total_tokens) as tokens, sum(total_cost) as cost from model_hours
    where tenant_id = ${tenantId} and agent_name = ${agent ?? ''} and hour >= ${hour}
    group by model`.execute(tx.db);
  return rows;
}

/** Returns the cost of an end user's runs since a day (in days since 1970). */
export async function costSince(
  tx: Tx,
  tenantId: string,
  endUserId: string,
  day: number,
): Promise<number> {
  const { cost } = await tx.db
    .selectFrom('end_user_days')
    .select((eb) => eb.fn.sum<number | null>('total_cost').as('cost'))
    .where('tenant_id', '=', tenantId)
    .where('end_user_id', '=', endUserId)
    .where('day', '>=', day)
    .executeTakeFirstOrThrow();
  return cost ?? 0;
}

/** Finds the limits of an end user and of their group. */
export function findEndUserLimits(
  tx: Tx,
  tenantId: string,
  endUserId: string,
  group: string | null,
) {
  return tx.db
    .selectFrom('end_user_limits')
    .select(['kind', 'monthly_budget', 'requests_per_minute'])
    .where('tenant_id', '=', tenantId)
    .where((eb) =>
      eb.or([
        eb.and([eb('kind', '=', 'user'), eb('id', '=', endUserId)]),
        eb.and([eb('kind', '=', 'group'), eb('id', '=', group ?? '')]),
      ]),
    )
    .execute();
}

/** Inserts new rows. Existing ones, possibly from other processes, are kept. */
export async function insertPolicySets(tx: Tx, rows: readonly PolicySetTable[]): Promise<void> {
  await tx.bulk.insertNew('policy_sets', ['tenant_id', 'day', 'key'], rows);
}

const inPlace = {
  policy_checks: { key: ['tenant_id', 'id'], add: [], set: ['outcomes'] },
  policy_states: { key: ['tenant_id', 'subject'], add: [], set: ['states', 'updated_at'] },
} as const;

/** Stores the checks and states of one transaction. */
export const storeChecks = (
  tx: Tx,
  checks: readonly Tables['policy_checks'][],
  states: readonly Tables['policy_states'][],
): Promise<void> =>
  tx.bulk.mergeAll([
    { table: 'policy_checks', merging: inPlace.policy_checks, rows: checks },
    { table: 'policy_states', merging: inPlace.policy_states, rows: states },
  ]);

export const insertEvaluations = (tx: Tx, rows: readonly EvaluationTable[]): Promise<void> =>
  tx.bulk.insert('evaluations', rows);

/** Finds the evaluations of a run, so that repeated ones are counted instead of inserted. */
export function findEvaluationsOfRun(db: Db, tenantId: string, runId: number) {
  return db
    .selectFrom('evaluations')
    .select(['id', 'policy_id', 'phase', 'action', 'reason', 'metadata'])
    .where('tenant_id', '=', tenantId)
    .where('run_id', '=', runId)
    .execute();
}

export async function countRepeat(
  tx: Tx,
  tenantId: string,
  id: string,
  latest: Pick<EvaluationTable, 'reason' | 'metadata' | 'updated_at'>,
): Promise<void> {
  await tx.db
    .updateTable('evaluations')
    .set((eb) => ({ ...latest, evaluation_count: eb('evaluation_count', '+', 1) }))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute();
}

export async function listPolicies(db: Db, tenantId: string) {
  return db
    .selectFrom('policies')
    .select(['id', 'name', 'category', 'rules', 'scope', 'priority', 'enabled'])
    .select(['severity', 'mode'])
    .where('tenant_id', '=', tenantId)
    .execute();
}

/** Stores the start evaluation of a run that was stored before it was evaluated. */
export async function storeStart(
  tx: Tx,
  { tenant_id, id: run_id }: Pick<RunRef, 'tenant_id' | 'id'>,
  { remembered, evaluations }: StartEvaluation,
): Promise<void> {
  await tx.db
    .updateTable('runs')
    .set({ remembered })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', run_id)
    .execute();
  const rows = evaluations.map((evaluation) => ({ tenant_id, run_id, ...evaluation }));
  await tx.bulk.insert('evaluations', rows);
}
