import { type RawBuilder, sql } from 'kysely';
import type { AnalyticsFilter, Grouping, Measure } from '#contract/analytics-query.ts';
import { roundedDuration } from '../hours/count-queries.ts';
import { runsOf } from '../../runs/list-filter-queries.ts';
import type { Db } from '../../storage/open.ts';
import { weekAlignment, type Intervals, type TimeSpan } from './intervals.ts';
import type { Row } from './merge-rules.ts';

export interface MeasureQuery {
  tenantId: string;
  span: TimeSpan;
  intervals: Intervals;
  measure: Measure;
  group_by: Grouping;
  filters: AnalyticsFilter;
}

/**
 * Returns the index of the interval that contains a time, as SQL. The operands are integers, which
 * both databases divide without a remainder.
 */
export function intervalIndex(at: RawBuilder<number>, { length, shifts, first }: Intervals) {
  if (length === 0) return sql<number>`0`;
  const [begin, ...later] = shifts;
  const whens = later
    .toReversed()
    .map(({ from, offset }) => sql`when ${at} >= ${sql.lit(from)} then ${sql.lit(offset)}`);
  const otherwise = sql.lit(begin?.offset ?? 0);
  const offset =
    whens.length === 0 ? otherwise : sql`case ${sql.join(whens, sql` `)} else ${otherwise} end`;
  const counted = sql`(${at} + ${offset} + ${sql.lit(weekAlignment(length))}) / ${sql.lit(length)}`;
  return sql<number>`${counted} - ${sql.lit(first)}`;
}

/** The columns of runs that contain the name of a group, also for records of runs. */
const runColumns: Partial<Record<Grouping, RawBuilder<string | null>>> = {
  user: sql`runs.user_id`,
  team: sql`runs.user_group`,
  api_key: sql`runs.api_key_id`,
  tag: sql`runs.tags`,
};

const NO_NAME = sql<string | null>`cast(null as text)`;

interface Source {
  table: RawBuilder<unknown>;
  at: RawBuilder<number>;
  names: Partial<Record<Grouping, RawBuilder<string | null>>>;
  where: RawBuilder<boolean>[];
  count: RawBuilder<number>;
  sum: RawBuilder<number>;
  duration: RawBuilder<number | null>;
}

const NO_DURATION = sql<number | null>`cast(null as bigint)`;

const sums: Partial<Record<Measure, RawBuilder<number>>> = {
  cost: sql`sum(r.cost)`,
  tokens: sql`sum(r.total_tokens)`,
  tokens_in: sql`sum(r.tokens_in)`,
  tokens_out: sql`sum(r.tokens_out)`,
  tokens_cached: sql`sum(r.cache_read_tokens)`,
};

const ALL = sql<number>`count(*)`;

const isOneOf = (column: RawBuilder<unknown>, values: readonly string[]) =>
  sql<boolean>`${column} in (${sql.join(values.map((value) => sql`${value}`))})`;

function equalityConditions(
  filters: readonly (readonly [RawBuilder<unknown>, string | undefined])[],
) {
  return filters.flatMap(([column, value]) => (value ? [sql<boolean>`${column} = ${value}`] : []));
}

export function callsSource({ measure, filters }: MeasureQuery): Source {
  const isTimed = measure.startsWith('call_latency');
  return {
    table: sql`llm_calls`,
    at: sql`r.created_at`,
    names: {
      agent: sql`r.agent_name`,
      workflow: sql`r.workflow_name`,
      model: sql`r.model`,
      provider: sql`r.provider`,
    },
    where: [
      ...equalityConditions([
        [sql`r.agent_name`, filters.agent],
        [sql`r.workflow_name`, filters.workflow],
      ]),
      ...(filters.model?.length ? [isOneOf(sql`r.model`, filters.model)] : []),
      ...(isTimed ? [sql<boolean>`r.duration_ms is not null`] : []),
    ],
    count: ALL,
    sum: sums[measure] ?? ALL,
    duration: isTimed ? roundedDuration(sql`r.duration_ms`) : NO_DURATION,
  };
}

export function scoresSource({ measure, filters }: MeasureQuery): Source {
  return {
    table: sql`scores`,
    at: sql`r.created_at`,
    names: { agent: sql`r.run_agent_name`, score: sql`r.name` },
    where: [
      ...equalityConditions([
        [sql`r.run_agent_name`, filters.agent],
        [sql`r.name`, filters.score],
      ]),
      ...(measure === 'score_average' ? [sql<boolean>`r.numeric_value is not null`] : []),
    ],
    count: ALL,
    sum: sql`sum(coalesce(r.numeric_value, 0))`,
    duration: NO_DURATION,
  };
}

export function verdictsSource({ filters }: MeasureQuery): Source {
  return {
    table: sql`evaluations`,
    at: sql`r.created_at`,
    names: {
      agent: sql`r.agent_name`,
      workflow: sql`r.workflow_name`,
      action: sql`r.action`,
      policy: sql`r.policy_name`,
    },
    where: equalityConditions([
      [sql`r.agent_name`, filters.agent],
      [sql`r.workflow_name`, filters.workflow],
    ]),
    count: ALL,
    sum: ALL,
    duration: NO_DURATION,
  };
}

/** The filters for which the records have columns. */
const columnFilters = {
  calls: ['agent', 'model', 'workflow'],
  scores: ['agent'],
  verdicts: ['agent', 'workflow'],
};

/** Returns the filters for which only the run has columns; undefined if there are none. */
export function runFilterOf(family: keyof typeof columnFilters, filters: AnalyticsFilter) {
  const { score: _score, ...ofRun } = filters;
  const rest = Object.entries(ofRun).filter(
    ([name, value]) =>
      !columnFilters[family].includes(name) && value !== undefined && value.length > 0,
  );
  return rest.length === 0
    ? undefined
    : (Object.fromEntries(rest) as Omit<AnalyticsFilter, 'score'>);
}

/** Counts records that belong to runs. `within` bounds them in addition to their time. */
export async function readRecords(
  db: Db,
  family: keyof typeof columnFilters,
  source: Source,
  scope: MeasureQuery,
  within: RawBuilder<boolean>[] = [],
): Promise<Row[]> {
  const { tenantId, span, intervals, group_by } = scope;
  const ofRun = source.names[group_by] === undefined ? nameOfRun(group_by) : undefined;
  const filter = runFilterOf(family, scope.filters);
  const needsRun = ofRun !== undefined || filter !== undefined;
  const runId = sql.raw(needsRun ? ', r.run_id as run_id' : '');
  const where = [
    sql<boolean>`r.tenant_id = ${tenantId}`,
    sql<boolean>`${source.at} >= ${span.start}`,
    sql<boolean>`${source.at} < ${span.end}`,
    ...within,
    ...source.where,
  ];
  const records = sql<Row>`select ${intervalIndex(source.at, intervals)} as step,
      ${source.names[group_by] ?? NO_NAME} as name, ${source.duration} as duration,
      ${source.count} as count, ${source.sum} as sum ${runId}
    from ${source.table} as r where ${sql.join(where, sql` and `)}
    group by 1, 2, 3 ${sql.raw(needsRun ? ', r.run_id' : '')}`;
  if (!needsRun) return (await records.execute(db)).rows;
  const passes = filter
    ? sql`exists ${runsOf(db, tenantId, filter, undefined)
        .select(sql`1`.as('one'))
        .where(sql<boolean>`runs.id = c.run_id`)}`
    : sql`1 = 1`;
  const { rows } = await sql<Row>`select c.step, ${ofRun ?? sql`c.name`} as name, c.duration,
      sum(c.count) as count, sum(c.sum) as sum
    from (${records}) as c left join runs on runs.tenant_id = ${tenantId} and runs.id = c.run_id
    where ${passes} group by 1, 2, 3`.execute(db);
  return rows;
}

function nameOfRun(grouping: Grouping): RawBuilder<string | null> | undefined {
  if (grouping === 'none' || grouping === 'tenant') return undefined;
  return grouping === 'workflow' ? sql`runs.workflow_name` : runColumns[grouping];
}

/** Counts runs by their start. */
export async function readRuns(db: Db, scope: MeasureQuery): Promise<Row[]> {
  const { tenantId, span, intervals, measure, group_by } = scope;
  const { score: _score, ...filters } = scope.filters;
  const elapsed = sql<number>`(runs.completed_at - runs.started_at)`;
  const isTimed = measure.startsWith('run_duration');
  const isRate = measure === 'error_rate';
  const names: typeof runColumns = {
    ...runColumns,
    agent: sql`runs.agent_name`,
    workflow: sql`runs.workflow_name`,
    status: sql`runs.status`,
  };
  let runs = runsOf(db, tenantId, { ...filters, ...span }, undefined);
  if (isTimed) runs = runs.where('runs.completed_at', 'is not', null);
  if (isRate) runs = runs.where('runs.status', '<>', 'running');
  if (measure === 'failed_runs') runs = runs.where('runs.status', '=', 'error');
  return runs
    .select([
      intervalIndex(sql`runs.started_at`, intervals).as('step'),
      (names[group_by] ?? NO_NAME).as('name'),
      (isTimed ? roundedDuration(elapsed) : NO_DURATION).as('duration'),
      ALL.as('count'),
      sql<number>`sum(case when runs.status = 'error' then 1 else 0 end)`.as('sum'),
    ])
    .groupBy(sql`1, 2, 3`)
    .execute();
}
