import { expressionBuilder, type RawBuilder, sql, type SqlBool } from 'kysely';
import { DAY_MS } from '#lib/time-units.ts';
import { mentions } from '../storage/contains.ts';
import { countOf } from '../storage/bounded-count.ts';
import type { Db, Storage } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Filter } from '../incidents/queries.ts';

type EvaluationFilter = Filter & { phase?: Tables['evaluations']['phase'] | undefined };
type Reading = Pick<Storage, 'pairsOf'> & { reader: Db };

/**
 * Lists evaluations, newest first, since ids are ordered by time. The outcomes of one check keep
 * their order.
 */
export async function listEvaluations(
  storage: Reading,
  tenantId: string,
  filter: EvaluationFilter,
) {
  const { limit, offset } = filter;
  const rows = await storage.reader
    .selectFrom(newestOfRuns(storage, tenantId, filter).as('evaluation'))
    .selectAll()
    .unionAll(
      storage.reader
        .selectFrom(newestOfChecks(storage, tenantId, filter).as('evaluation'))
        .selectAll(),
    )
    .orderBy('id', 'desc')
    .orderBy('position')
    .limit(limit)
    .offset(offset)
    .execute();
  return {
    rows: rows.map(({ position, ...row }) =>
      row.run_id === null ? { ...row, id: `${row.id}.${position}` } : row,
    ),
    count: await countAnswers(storage, tenantId, filter),
  };
}

// Each side is limited to the page, because in the union both would be sorted completely.
const newestOfRuns = ({ reader }: Reading, tenantId: string, filter: EvaluationFilter) =>
  runEvaluations(reader, tenantId, filter)
    .select(['id', 'run_id', 'policy_id', 'policy_name', 'category', 'phase', 'action'])
    .select(['reason', 'metadata', 'agent_name', 'workflow_name', 'evaluation_count'])
    .select(['created_at', 'updated_at', sql<number>`0`.as('position')])
    .orderBy('id', 'desc')
    .limit(filter.offset + filter.limit);

const newestOfChecks = (storage: Reading, tenantId: string, filter: EvaluationFilter) => {
  const part = partsOf(storage);
  return (
    checkEvaluations(storage, tenantId, filter)
      // The column is qualified, because SQLite's table of elements also has an `id`.
      .select(['policy_checks.id', sql<number>`cast(null as bigint)`.as('run_id')])
      .select([part.policy_id.as('policy_id'), part.policy_name.as('policy_name')])
      .select([part.category.as('category'), sql<Phase>`'before_workflow'`.as('phase')])
      .select([part.action.as('action'), part.reason.as('reason'), part.metadata.as('metadata')])
      .select(['policy_checks.agent_name', 'policy_checks.workflow_name'])
      .select(sql<number>`1`.as('evaluation_count'))
      .select(['policy_checks.created_at', 'policy_checks.created_at as updated_at'])
      .select('each.key as position')
      .orderBy('policy_checks.id', 'desc')
      .orderBy('position')
      .limit(filter.offset + filter.limit)
  );
};

type Phase = Tables['evaluations']['phase'];
type Action = Tables['evaluations']['action'];

const pairsOf = (storage: Reading) =>
  storage.pairsOf('policy_sets.policies', 'policy_checks.outcomes');

/** Returns the fields of one policy and its outcome, as SQL on the stored arrays. */
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
  filter: EvaluationFilter,
): Promise<number> {
  const aboutRuns = await countOf(runEvaluations(storage.reader, tenantId, filter));
  if (filter.policy_id ?? filter.category ?? filter.action)
    return aboutRuns + (await countOf(checkEvaluations(storage, tenantId, filter)));
  const { count } = await storage.reader
    .selectFrom('policy_checks')
    .where(checkMatches(tenantId, filter))
    .select((eb) => eb.fn.sum<number | null>('outcome_count').as('count'))
    .executeTakeFirstOrThrow();
  return aboutRuns + (count ?? 0);
}

function runEvaluations(reader: Db, tenantId: string, filter: EvaluationFilter) {
  let rows = reader.selectFrom('evaluations').where('tenant_id', '=', tenantId);
  if (filter.policy_id !== undefined) rows = rows.where('policy_id', '=', filter.policy_id);
  if (filter.category !== undefined) rows = rows.where('category', '=', filter.category);
  if (filter.action !== undefined) rows = rows.where('action', '=', filter.action);
  if (filter.agent !== undefined) rows = rows.where('agent_name', '=', filter.agent);
  if (filter.phase !== undefined) rows = rows.where('phase', '=', filter.phase);
  if (filter.run_id !== undefined) rows = rows.where('run_id', '=', filter.run_id);
  if (filter.start !== undefined) rows = rows.where('created_at', '>=', filter.start);
  if (filter.end !== undefined) rows = rows.where('created_at', '<', filter.end);
  return rows;
}

/** The stored column that contains each field, for all policies of a check. */
const columnOf = {
  policy_id: 'policy_sets.policies',
  category: 'policy_sets.policies',
  action: 'policy_checks.outcomes',
} as const;

function checkEvaluations(storage: Reading, tenantId: string, filter: EvaluationFilter) {
  const part = partsOf(storage);
  // The join order matters: each check looks up its policy set, and not the other way round.
  let rows = storage.reader
    .selectFrom('policy_checks')
    .crossJoin('policy_sets')
    .crossJoin(pairsOf(storage).from)
    .where(checkMatches(tenantId, filter))
    .whereRef('policy_sets.tenant_id', '=', 'policy_checks.tenant_id')
    .where('policy_sets.day', '=', sql<number>`policy_checks.created_at / ${sql.lit(DAY_MS)}`)
    .whereRef('policy_sets.key', '=', 'policy_checks.policy_set_key');
  for (const field of ['policy_id', 'category', 'action'] as const) {
    const value = filter[field];
    if (value === undefined) continue;
    // A text match excludes most checks without parsing their JSON.
    rows = rows
      .where(mentions(columnOf[field], JSON.stringify(value)))
      .where(sql<string>`${part[field]}`, '=', value);
  }
  return rows;
}

/**
 * Returns the condition for checks. They have no run, so they match no run filter, and only the
 * phase `before_workflow`.
 */
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

interface Grouping {
  /** The number of an interval, as SQL. */
  step: RawBuilder<number>;
  /** Undefined to count all together. */
  name: 'agent' | 'workflow' | 'action' | 'policy' | undefined;
  workflow?: string | undefined;
}

/** Counts the outcomes of checks, by interval and name. */
export async function verdictsOfChecks(
  storage: Reading,
  tenantId: string,
  filter: Pick<EvaluationFilter, 'agent' | 'start' | 'end'>,
  { step, name, workflow }: Grouping,
) {
  const part = partsOf(storage);
  const names: Record<NonNullable<Grouping['name']>, RawBuilder<string | null>> = {
    agent: sql`policy_checks.agent_name`,
    workflow: sql`policy_checks.workflow_name`,
    action: part.action,
    policy: part.policy_name,
  };
  const named = name === undefined ? sql<string | null>`cast(null as text)` : names[name];
  let checks = checkEvaluations(storage, tenantId, { ...filter, limit: 0, offset: 0 });
  if (workflow) checks = checks.where('policy_checks.workflow_name', '=', workflow);
  const rows = await checks
    .select([step.as('step'), named.as('name')])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .groupBy(sql`1, 2`)
    .execute();
  return rows.map((row) => ({ ...row, duration: null, sum: row.count }));
}
