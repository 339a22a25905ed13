import { type RawBuilder, sql } from 'kysely';
import { splitHours } from '../llm-calls/rules.ts';
import type { Db } from '../storage/open.ts';
import { HOUR_MS } from '#lib/time-units.ts';
import { bucketOf, NO_DURATION } from '../usage/duration-buckets.ts';
import type { Activity, TimeSpan, Steps } from './activity-rules.ts';

type OfSteps = Pick<Steps, 'firstHour' | 'stepHours'>;

/**
 * Returns the activity in a period. Runs and usage come from the hourly totals, and only the
 * partial hours at the ends are read row by row.
 */
export async function findActivity(
  db: Db,
  tenantId: string,
  span: TimeSpan,
  steps: OfSteps,
): Promise<Activity> {
  const { hours, edges } = splitHours(span);
  const runs = hours ? [await runsOfHours(db, tenantId, hours, steps)] : [];
  const usage = hours ? [await usageOfHours(db, tenantId, hours, steps)] : [];
  for (const edge of edges) {
    runs.push(await runsOfEdge(db, tenantId, edge, steps));
    usage.push(await usageOfEdge(db, tenantId, edge, steps));
  }
  return {
    runs: runs.flat(),
    usage: usage.flat(),
    incidents: await incidentsOf(db, tenantId, span, steps),
    approvals: await approvalsOf(db, tenantId, span, steps),
  };
}

/**
 * Returns the interval of an hour. The operands are integers, which both databases divide without a
 * remainder.
 */
const stepOf = (hour: RawBuilder<number>, { firstHour, stepHours }: OfSteps): RawBuilder<number> =>
  sql<number>`(${hour} - ${sql.lit(firstHour)}) / ${sql.lit(stepHours)}`;

const hourOf = (column: string): RawBuilder<number> =>
  sql<number>`${sql.ref(column)} / ${sql.lit(HOUR_MS)}`;

interface Hours {
  from?: number | undefined;
  to?: number | undefined;
}

function runsOfHours(db: Db, tenantId: string, { from, to }: Hours, steps: OfSteps) {
  const step = stepOf(sql.ref('hour'), steps);
  let rows = db.selectFrom('run_hours').where('tenant_id', '=', tenantId);
  if (from !== undefined) rows = rows.where('hour', '>=', from);
  if (to !== undefined) rows = rows.where('hour', '<', to);
  return rows
    .select([step.as('step'), 'status', 'duration_from'])
    .select((eb) => eb.fn.sum<number>('run_count').as('run_count'))
    .groupBy([step, 'status', 'duration_from'])
    .execute();
}

function usageOfHours(db: Db, tenantId: string, { from, to }: Hours, steps: OfSteps) {
  const step = stepOf(sql.ref('hour'), steps);
  let rows = db
    .selectFrom('model_hours')
    .where('tenant_id', '=', tenantId)
    // The empty name holds the totals of all agents.
    .where('agent_name', '=', '');
  if (from !== undefined) rows = rows.where('hour', '>=', from);
  if (to !== undefined) rows = rows.where('hour', '<', to);
  return rows
    .select(step.as('step'))
    .select((eb) => [
      eb.fn.sum<number>('call_count').as('calls'),
      eb.fn.sum<number>('total_tokens').as('tokens'),
      eb.fn.sum<number>('total_cost').as('cost'),
    ])
    .groupBy(step)
    .execute();
}

interface Edge {
  start?: number | undefined;
  end?: number | undefined;
}

async function runsOfEdge(db: Db, tenantId: string, { start, end }: Edge, steps: OfSteps) {
  const step = stepOf(hourOf('started_at'), steps);
  const duration = sql<number | null>`completed_at - started_at`;
  let runs = db.selectFrom('runs').where('tenant_id', '=', tenantId);
  if (start !== undefined) runs = runs.where('started_at', '>=', start);
  if (end !== undefined) runs = runs.where('started_at', '<', end);
  const rows = await runs
    .select([step.as('step'), 'status', duration.as('duration')])
    .select((eb) => eb.fn.countAll<number>().as('run_count'))
    .groupBy([step, 'status', duration])
    .execute();
  return rows.map(({ duration, ...row }) => ({
    ...row,
    duration_from: duration === null ? NO_DURATION : bucketOf(duration),
  }));
}

function usageOfEdge(db: Db, tenantId: string, { start, end }: Edge, steps: OfSteps) {
  const step = stepOf(hourOf('created_at'), steps);
  let calls = db.selectFrom('llm_calls').where('tenant_id', '=', tenantId);
  if (start !== undefined) calls = calls.where('created_at', '>=', start);
  if (end !== undefined) calls = calls.where('created_at', '<', end);
  return calls
    .select(step.as('step'))
    .select((eb) => [
      eb.fn.countAll<number>().as('calls'),
      eb.fn.sum<number>('total_tokens').as('tokens'),
      eb.fn.sum<number>('cost').as('cost'),
    ])
    .groupBy(step)
    .execute();
}

function incidentsOf(db: Db, tenantId: string, { start, end }: TimeSpan, steps: OfSteps) {
  const step = stepOf(hourOf('created_at'), steps);
  let rows = db
    .selectFrom('incidents')
    .where('tenant_id', '=', tenantId)
    .where('created_at', '>=', start);
  if (end !== undefined) rows = rows.where('created_at', '<', end);
  return rows
    .select([step.as('step'), 'action'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .groupBy([step, 'action'])
    .execute();
}

function approvalsOf(db: Db, tenantId: string, { start, end }: TimeSpan, steps: OfSteps) {
  const step = stepOf(hourOf('created_at'), steps);
  let rows = db
    .selectFrom('approvals')
    .where('tenant_id', '=', tenantId)
    .where('created_at', '>=', start);
  if (end !== undefined) rows = rows.where('created_at', '<', end);
  return rows
    .select(step.as('step'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .groupBy(step)
    .execute();
}
