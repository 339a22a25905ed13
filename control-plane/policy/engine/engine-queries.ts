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

/** What policies need to know of a run. */
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

/** How many steps a run has, and spans of the kinds that policies bound. */
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
  const spansOf = (wanted: 'tool' | 'retry'): number =>
    spans.find(({ kind }) => kind === wanted)?.count ?? 0;
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

/** The name of the lock that whoever changes what is remembered of a subject holds. */
export const lockOf = ({ tenant_id, subject }: SubjectKey): string =>
  `policy ${tenant_id} ${subject}`;

/** What is remembered of these subjects, which until the end of the transaction belong to this one. */
export async function lockStates(
  { bulk, lock }: Storage,
  trx: Trx,
  keys: readonly SubjectKey[],
): Promise<(SubjectKey & { states: string })[]> {
  if (keys.length === 0) return [];
  await lock(trx, ...keys.map(lockOf));
  const found: (SubjectKey & { states: string })[] = [];
  for (const [tenantId, some] of Map.groupBy(keys, ({ tenant_id }) => tenant_id)) {
    const where = { tenantId, by: 'subject', values: some.map(({ subject }) => subject) } as const;
    const columns = ['tenant_id', 'subject', 'states'] as const;
    found.push(...(await bulk.find(trx, 'policy_states', columns, where)));
  }
  return found;
}

/** What of these policies somebody was ever asked to approve, and for whom. */
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

/** What an agent, or with null every agent, used by model since an hour (hours since 1970). */
export async function usageSince(trx: Trx, tenantId: string, agent: string | null, hour: number) {
  // Most checks ask it: built as a query, it takes longer to write down than to answer.
  const { rows } = await sql<{ model: string; tokens: number; cost: number }>`
    select model, sum(total_tokens) as tokens, sum(total_cost) as cost from model_hours
    where tenant_id = ${tenantId} and agent_name = ${agent ?? ''} and hour >= ${hour}
    group by model`.execute(trx);
  return rows;
}

/** What an end user's runs cost since a day (days since 1970). */
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

/** What is set for an end user and for their group. */
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

/** Those that are there already, of other processes, stay. */
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

/** What every check leaves, in one go. */
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

/** What a run was told in one phase: what it is told again is counted there. */
export function findEvaluationsOfRun(trx: Db, tenantId: string, runId: number) {
  return trx
    .selectFrom('evaluations')
    .select(['id', 'policy_id', 'phase', 'action', 'reason', 'metadata'])
    .where('tenant_id', '=', tenantId)
    .where('run_id', '=', runId)
    .execute();
}

export async function countAgain(
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

/** Opens an incident, or counts it with the one for the same that is not resolved. */
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

/** Stores what policies told a run that was there before they were asked. */
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
