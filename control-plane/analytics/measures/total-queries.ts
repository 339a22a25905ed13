import { HOUR_MS } from '#lib/time-units.ts';
import { type RawBuilder, sql } from 'kysely';
import type { AnalyticsFilter, Grouping, Measure } from '#contract/analytics-query.ts';
import { type HourRange, splitHours } from '../../llm-calls/rules.ts';
import type { Db } from '../../storage/open.ts';
import { middleOf, NO_DURATION } from '../../usage/duration-buckets.ts';
import { coversHours } from './intervals.ts';
import type { Row } from './merge-rules.ts';
import { type MeasureQuery, intervalIndex } from './record-queries.ts';

/** A table of hourly totals, and the queries that it can answer. */
interface HourTotals {
  measures: readonly Measure[];
  groupings: readonly Grouping[];
  filters: readonly (keyof AnalyticsFilter)[];
  read(db: Db, scope: MeasureQuery, hours: HourRange): Promise<Row[]>;
}

const hour = sql<number>`(hour * ${sql.lit(HOUR_MS)})`;
const NO_NAME = sql<string | null>`cast(null as text)`;
const NO_MILLISECONDS = sql<number | null>`cast(null as bigint)`;

const within = (scope: MeasureQuery, { from, to }: HourRange): RawBuilder<boolean>[] => [
  sql<boolean>`tenant_id = ${scope.tenantId}`,
  ...(from === undefined ? [] : [sql<boolean>`hour >= ${from}`]),
  ...(to === undefined ? [] : [sql<boolean>`hour < ${to}`]),
];

/** Selects the agents. The empty name holds the totals of all agents. */
function ofAgents({ group_by, filters: { agent } }: MeasureQuery): RawBuilder<boolean> {
  if (agent) return sql<boolean>`agent_name = ${agent}`;
  return group_by === 'agent' ? sql<boolean>`agent_name <> ''` : sql<boolean>`agent_name = ''`;
}

const all = (conditions: readonly RawBuilder<boolean>[]) => sql.join(conditions, sql` and `);

const modelHours: HourTotals = {
  measures: ['llm_calls', 'cost', 'tokens'],
  groupings: ['none', 'agent', 'model'],
  filters: ['agent', 'model'],
  async read(db, scope, hours) {
    const names = { agent: sql`agent_name`, model: sql`model` } as const;
    const name = scope.group_by in names ? names[scope.group_by as 'agent'] : NO_NAME;
    const sum = sql.ref(scope.measure === 'cost' ? 'total_cost' : 'total_tokens');
    const where = [...within(scope, hours), ofAgents(scope)];
    const { model } = scope.filters;
    if (model?.length)
      where.push(sql<boolean>`model in (${sql.join(model.map((one) => sql`${one}`))})`);
    const { rows } = await sql<Row>`select ${intervalIndex(hour, scope.intervals)} as step,
        ${name} as name, ${NO_MILLISECONDS} as duration,
        sum(call_count) as count, sum(${sum}) as sum
      from model_hours where ${all(where)} group by 1, 2, 3`.execute(db);
    return rows;
  },
};

const runHours: HourTotals = {
  measures: ['runs', 'failed_runs', 'error_rate', 'run_duration_p50', 'run_duration_p95'],
  groupings: ['none', 'status'],
  filters: ['status'],
  async read(db, scope, hours) {
    const { measure, group_by, filters } = scope;
    const isTimed = measure.startsWith('run_duration');
    const where = within(scope, hours);
    if (isTimed) where.push(sql<boolean>`duration_from <> ${sql.lit(NO_DURATION)}`);
    if (measure === 'error_rate') where.push(sql<boolean>`status <> 'running'`);
    if (measure === 'failed_runs') where.push(sql<boolean>`status = 'error'`);
    if (filters.status) where.push(sql<boolean>`status = ${filters.status}`);
    const { rows } = await sql<Row>`select ${intervalIndex(hour, scope.intervals)} as step,
        ${group_by === 'status' ? sql`status` : NO_NAME} as name,
        ${isTimed ? sql`duration_from` : NO_MILLISECONDS} as duration,
        sum(run_count) as count,
        sum(case when status = 'error' then run_count else 0 end) as sum
      from run_hours where ${all(where)} group by 1, 2, 3`.execute(db);
    return rows.map((row) => ({
      ...row,
      duration: row.duration === null ? null : middleOf(row.duration),
    }));
  },
};

const scoreHours: HourTotals = {
  measures: ['score_average', 'scores'],
  groupings: ['none', 'agent', 'score'],
  filters: ['agent', 'score'],
  async read(db, scope, hours) {
    const names = { agent: sql`agent_name`, score: sql`name` } as const;
    const name = scope.group_by in names ? names[scope.group_by as 'agent'] : NO_NAME;
    const counted = sql.ref(scope.measure === 'scores' ? 'score_count' : 'numeric_count');
    const where = [...within(scope, hours), ofAgents(scope), sql<boolean>`${counted} > 0`];
    if (scope.filters.score) where.push(sql<boolean>`name = ${scope.filters.score}`);
    const { rows } = await sql<Row>`select ${intervalIndex(hour, scope.intervals)} as step,
        ${name} as name, ${NO_MILLISECONDS} as duration,
        sum(${counted}) as count, sum(numeric_sum) as sum
      from score_hours where ${all(where)} group by 1, 2, 3`.execute(db);
    return rows;
  },
};

/**
 * Returns the totals that can answer a query; undefined if none have what it groups or filters by.
 */
export function totalsFor(scope: MeasureQuery): HourTotals | undefined {
  const used = Object.entries(scope.filters).flatMap(([name, value]) =>
    value === undefined || value.length === 0 ? [] : [name as keyof AnalyticsFilter],
  );
  return [modelHours, runHours, scoreHours].find(
    ({ measures, groupings, filters }) =>
      measures.includes(scope.measure) &&
      groupings.includes(scope.group_by) &&
      used.every((name) => filters.includes(name)) &&
      coversHours(scope.intervals),
  );
}

/** Reads whole hours from the totals, and the partial hours at the ends with `readEdge`. */
export async function readTotals(
  db: Db,
  totals: HourTotals,
  scope: MeasureQuery,
  readEdge: (edge: MeasureQuery) => Promise<Row[]>,
): Promise<Row[]> {
  const { hours, edges } = splitHours(scope.span);
  const rows = hours ? await totals.read(db, scope, hours) : [];
  for (const { start, end } of edges) {
    const span = { start: start ?? scope.span.start, end: end ?? scope.span.end };
    for (const row of await readEdge({ ...scope, span })) rows.push(row);
  }
  return rows;
}
