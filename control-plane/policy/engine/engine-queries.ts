import { sql } from 'kysely';
import type { RunRef } from '../../usage/count.ts';
import type { StartEvaluation } from './evaluation-request.ts';
import type { Db, Storage, Trx } from '../../storage/open.ts';
import type { Tables } from '../../storage/tables.ts';
import type {
  PolicySetTable,
  EvaluationTable,
  IncidentTable,
} from '../../storage/tables/governance.ts';

/** The columns of a run that policies evaluate. */
export async function findRun(trx: Trx, tenantId: string, runId: number) {
  return trx
    .selectFrom('runs')
    .select(['id', 'agent_name', 'workflow_name', 'session_id', 'user_id', 'user_group'])
    .select(['end_user_id', 'status', 'started_at', 'completed_at', 'tokens', 'cost'])
    .select(['llm_call_count', 'remembered', 'error', 'result'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', runId)
    .executeTakeFirst();
}

/** The number of a run's steps, and of its tool and retry spans. */
export async function countWork(trx: Trx, tenantId: string, runId: number) {
  const steps = await trx
    .selectFrom('steps')
    .where('tenant_id', '=', tenantId)
    .where('run_id', '=', runId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const spans = await trx
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

/** The name of the lock that guards a subject's state. */
export const lockOf = ({ tenant_id, subject }: SubjectKey): string =>
  `policy ${tenant_id} ${subject}`;

/** Reads the states of these subjects and locks them until the end of the transaction. */
export async function lockStates(
  { bulk, lock }: Storage,
  trx: Trx,
  keys: readonly SubjectKey[],
): Promise<(SubjectKey & { states: string })[]> {
  if (keys.length === 0) return [];
  await lock(trx, ...keys.map(lockOf));
  const rows: (SubjectKey & { states: string })[] = [];
  for (const [tenantId, some] of Map.groupBy(keys, ({ tenant_id }) => tenant_id)) {
    const where = { tenantId, by: 'subject', values: some.map(({ subject }) => subject) } as const;
    const columns = ['tenant_id', 'subject', 'states'] as const;
    rows.push(...(await bulk.find(trx, 'policy_states', columns, where)));
  }
  return rows;
}

/** The distinct policy, agent and workflow of all approval requests under these policies. */
export function listRequested(
  trx: Trx,
  { bulk }: Storage,
  tenantIds: readonly string[],
  policyIds: readonly string[],
) {
  return trx
    .selectFrom('approvals')
    .select(['tenant_id', 'policy_id', 'agent_name', 'workflow_name'])
    .distinct()
    .where('tenant_id', 'in', bulk.list(tenantIds))
    .where('policy_id', 'in', bulk.list(policyIds))
    .execute();
}

/** Usage by model since an hour (hours since 1970), of one agent, or of all with null. */
export async function usageSince(trx: Trx, tenantId: string, agent: string | null, hour: number) {
  // Runs in most checks: as a query builder, it takes longer to build than to run.
  const { rows } = await sql<{ model: string; tokens: number; cost: number }>`
    select model, sum(total_tokens) as tokens, sum(total_cost) as cost from model_hours
    where tenant_id = ${tenantId} and agent_name = ${agent ?? ''} and hour >= ${hour}
    group by model`.execute(trx);
  return rows;
}

/** The cost of an end user's runs since a day (days since 1970). */
export async function costSince(
  trx: Trx,
  tenantId: string,
  endUserId: string,
  day: number,
): Promise<number> {
  const { cost } = await trx
    .selectFrom('end_user_days')
    .select((eb) => eb.fn.sum<number | null>('total_cost').as('cost'))
    .where('tenant_id', '=', tenantId)
    .where('end_user_id', '=', endUserId)
    .where('day', '>=', day)
    .executeTakeFirstOrThrow();
  return cost ?? 0;
}

/** The limits set for an end user and for their group. */
export function findEndUserLimits(
  trx: Trx,
  tenantId: string,
  endUserId: string,
  group: string | null,
) {
  return trx
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

/** Inserts new rows; existing ones, possibly from other processes, stay. */
export async function insertPolicySets(
  { bulk }: Storage,
  trx: Trx,
  rows: readonly PolicySetTable[],
): Promise<void> {
  await bulk.insertNew(trx, 'asked_policies', ['tenant_id', 'day', 'key'], rows);
}

const inPlace = {
  policy_checks: { key: ['tenant_id', 'id'], add: [], set: ['answers'] },
  policy_states: { key: ['tenant_id', 'subject'], add: [], set: ['states', 'updated_at'] },
} as const;

/** Stores the checks and states of one transaction. */
export const storeChecks = (
  { bulk }: Storage,
  trx: Trx,
  checks: readonly Tables['policy_checks'][],
  states: readonly Tables['policy_states'][],
): Promise<void> =>
  bulk.mergeAll(trx, [
    { table: 'policy_checks', merging: inPlace.policy_checks, rows: checks },
    { table: 'policy_states', merging: inPlace.policy_states, rows: states },
  ]);

export const insertEvaluations = (
  { bulk }: Storage,
  trx: Trx,
  rows: readonly EvaluationTable[],
): Promise<void> => bulk.insert(trx, 'evaluations', rows);

/** The evaluations of a run, so that repeated ones are counted instead of inserted. */
export function findEvaluationsOfRun(trx: Db, tenantId: string, runId: number) {
  return trx
    .selectFrom('evaluations')
    .select(['id', 'policy_id', 'phase', 'action', 'reason', 'metadata'])
    .where('tenant_id', '=', tenantId)
    .where('run_id', '=', runId)
    .execute();
}

export async function countRepeat(
  trx: Trx,
  tenantId: string,
  id: string,
  latest: Pick<EvaluationTable, 'reason' | 'metadata' | 'updated_at'>,
): Promise<void> {
  await trx
    .updateTable('evaluations')
    .set((eb) => ({ ...latest, evaluation_count: eb('evaluation_count', '+', 1) }))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute();
}

/** Opens an incident, or counts the occurrence on a matching incident that is not resolved. */
export async function raise(trx: Trx, incident: IncidentTable): Promise<void> {
  const { tenant_id, policy_id, run_id, action, agent_name, workflow_name } = incident;
  const open = await trx
    .selectFrom('incidents')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .where('policy_id', '=', policy_id)
    .where('run_id', run_id === null ? 'is' : '=', run_id)
    .where('status', '<>', 'resolved')
    .where('action', '=', action)
    .where('agent_name', '=', agent_name)
    .where('workflow_name', '=', workflow_name)
    .limit(1)
    .executeTakeFirst();
  if (!open) {
    await trx.insertInto('incidents').values(incident).execute();
    return;
  }
  const { reason, metadata, updated_at } = incident;
  await trx
    .updateTable('incidents')
    .set((eb) => ({ reason, metadata, updated_at, occurrences: eb('occurrences', '+', 1) }))
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', open.id)
    .execute();
}

export async function listPolicies(db: Db, tenantId: string) {
  return db
    .selectFrom('policies')
    .select(['id', 'name', 'category', 'rules', 'scope', 'priority', 'enabled'])
    .where('tenant_id', '=', tenantId)
    .execute();
}

/** Stores the start evaluation of a run that was already stored before it was evaluated. */
export async function storeStart(
  { bulk }: Storage,
  trx: Trx,
  { tenant_id, id: run_id }: Pick<RunRef, 'tenant_id' | 'id'>,
  { remembered, evaluations }: StartEvaluation,
): Promise<void> {
  await trx
    .updateTable('runs')
    .set({ remembered })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', run_id)
    .execute();
  const rows = evaluations.map((evaluation) => ({ tenant_id, run_id, ...evaluation }));
  await bulk.insert(trx, 'evaluations', rows);
}
