import { expressionBuilder, sql, type SqlBool } from 'kysely';
import { DAY_MS } from '../lib/days.ts';
import { mentions } from '../storage/contains.ts';
import { countOf } from '../storage/count.ts';
import type { Db, Storage } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Filter } from './incident-queries.ts';

type EvaluationFilter = Filter & { phase?: Tables['evaluations']['phase'] | undefined };
type Reading = Pick<Storage, 'reader' | 'pairsOf'>;

/** Newest first: ids stand in the order of time. The answers to one check come as it was asked. */
export async function listEvaluations(
  storage: Reading,
  tenantId: string,
  wanted: EvaluationFilter,
) {
  const { limit, offset } = wanted;
  const rows = await storage.reader
    .selectFrom(newestAboutRuns(storage, tenantId, wanted).as('told'))
    .selectAll()
    .unionAll(
      storage.reader.selectFrom(newestToChecks(storage, tenantId, wanted).as('told')).selectAll(),
    )
    .orderBy('id', 'desc')
    .orderBy('place')
    .limit(limit)
    .offset(offset)
    .execute();
  return {
    rows: rows.map(({ place, ...row }) =>
      row.run_id === null ? { ...row, id: `${row.id}.${place}` } : row,
    ),
    count: await countAnswers(storage, tenantId, wanted),
  };
}

// Neither reads further than the page: left to the union, both would be sorted whole.
const newestAboutRuns = ({ reader }: Reading, tenantId: string, wanted: EvaluationFilter) =>
  answersAboutRuns(reader, tenantId, wanted)
    .select(['id', 'run_id', 'policy_id', 'policy_name', 'category', 'phase', 'action'])
    .select(['reason', 'metadata', 'agent_name', 'workflow_name', 'evaluation_count'])
    .select(['created_at', 'updated_at', sql<number>`0`.as('place')])
    .orderBy('id', 'desc')
    .limit(wanted.offset + wanted.limit);

const newestToChecks = (storage: Reading, tenantId: string, wanted: EvaluationFilter) => {
  const part = partsOf(storage);
  return (
    answersToChecks(storage, tenantId, wanted)
      // Qualified: SQLite's table of elements has an `id` too.
      .select(['policy_checks.id', sql<number>`cast(null as bigint)`.as('run_id')])
      .select([part.policy_id.as('policy_id'), part.policy_name.as('policy_name')])
      .select([part.category.as('category'), sql<Phase>`'before_workflow'`.as('phase')])
      .select([part.action.as('action'), part.reason.as('reason'), part.metadata.as('metadata')])
      .select(['policy_checks.agent_name', 'policy_checks.workflow_name'])
      .select(sql<number>`1`.as('evaluation_count'))
      .select(['policy_checks.created_at', 'policy_checks.created_at as updated_at'])
      .select('each.key as place')
      .orderBy('policy_checks.id', 'desc')
      .orderBy('place')
      .limit(wanted.offset + wanted.limit)
  );
};

type Phase = Tables['evaluations']['phase'];
type Action = Tables['evaluations']['action'];

const pairsOf = (storage: Reading) =>
  storage.pairsOf('asked_policies.policies', 'policy_checks.answers');

/** What is told of one policy, and of its answer, as they are stored. */
function partsOf(storage: Reading) {
  const { first: policy, second: answer } = pairsOf(storage);
  return {
    policy_id: sql<string>`${policy} ->> 0`,
    policy_name: sql<string>`${policy} ->> 1`,
    category: sql<string>`${policy} ->> 2`,
    action: sql<Action>`${answer} ->> 0`,
    reason: sql<string>`${answer} ->> 1`,
    metadata: sql<string>`coalesce(${answer} ->> 2, '{}')`,
  };
}

async function countAnswers(
  storage: Reading,
  tenantId: string,
  wanted: EvaluationFilter,
): Promise<number> {
  const aboutRuns = await countOf(answersAboutRuns(storage.reader, tenantId, wanted));
  if (wanted.policy_id ?? wanted.category ?? wanted.action)
    return aboutRuns + (await countOf(answersToChecks(storage, tenantId, wanted)));
  const { count } = await storage.reader
    .selectFrom('policy_checks')
    .where(checkMatches(tenantId, wanted))
    .select((eb) => eb.fn.sum<number | null>('answer_count').as('count'))
    .executeTakeFirstOrThrow();
  return aboutRuns + (count ?? 0);
}

function answersAboutRuns(reader: Db, tenantId: string, wanted: EvaluationFilter) {
  let rows = reader.selectFrom('evaluations').where('tenant_id', '=', tenantId);
  if (wanted.policy_id !== undefined) rows = rows.where('policy_id', '=', wanted.policy_id);
  if (wanted.category !== undefined) rows = rows.where('category', '=', wanted.category);
  if (wanted.action !== undefined) rows = rows.where('action', '=', wanted.action);
  if (wanted.agent !== undefined) rows = rows.where('agent_name', '=', wanted.agent);
  if (wanted.phase !== undefined) rows = rows.where('phase', '=', wanted.phase);
  if (wanted.run_id !== undefined) rows = rows.where('run_id', '=', wanted.run_id);
  if (wanted.start !== undefined) rows = rows.where('created_at', '>=', wanted.start);
  if (wanted.end !== undefined) rows = rows.where('created_at', '<', wanted.end);
  return rows;
}

/** Where a field is told, among what is stored of all policies of a check. */
const toldIn = {
  policy_id: 'asked_policies.policies',
  category: 'asked_policies.policies',
  action: 'policy_checks.answers',
} as const;

function answersToChecks(storage: Reading, tenantId: string, wanted: EvaluationFilter) {
  const part = partsOf(storage);
  // In this order: each check finds its policies, rather than the policies their checks.
  let rows = storage.reader
    .selectFrom('policy_checks')
    .crossJoin('asked_policies')
    .crossJoin(pairsOf(storage).from)
    .where(checkMatches(tenantId, wanted))
    .whereRef('asked_policies.tenant_id', '=', 'policy_checks.tenant_id')
    .where('asked_policies.day', '=', sql<number>`policy_checks.created_at / ${sql.lit(DAY_MS)}`)
    .whereRef('asked_policies.key', '=', 'policy_checks.asked');
  for (const field of ['policy_id', 'category', 'action'] as const) {
    const value = wanted[field];
    if (value === undefined) continue;
    // Most checks are left aside as text, without being taken apart.
    rows = rows
      .where(mentions(toldIn[field], JSON.stringify(value)))
      .where(sql<string>`${part[field]}`, '=', value);
  }
  return rows;
}

/** A check is asked before there is a run. */
function checkMatches(tenantId: string, { agent, phase, run_id, start, end }: EvaluationFilter) {
  const check = expressionBuilder<Tables, 'policy_checks'>();
  const never = run_id !== undefined || (phase !== undefined && phase !== 'before_workflow');
  return check.and([
    check('policy_checks.tenant_id', '=', tenantId),
    ...(agent ? [check('policy_checks.agent_name', '=', agent)] : []),
    ...(start === undefined ? [] : [check('policy_checks.created_at', '>=', start)]),
    ...(end === undefined ? [] : [check('policy_checks.created_at', '<', end)]),
    ...(never ? [sql<SqlBool>`1 = 0`] : []),
  ]);
}
