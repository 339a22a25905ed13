import { type SelectQueryBuilder, sql } from 'kysely';
import type { Hours } from '../analytics/period.ts';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { ScoreDay, ScoreSums, ValueCount } from './rules.ts';

type Kind = Partial<Pick<Tables['scores'], 'name' | 'source' | 'data_type'>>;

export interface ScoreFilter {
  name?: string | undefined;
  source?: Kind['source'] | undefined;
  data_type?: Kind['data_type'] | undefined;
  run_id?: number | undefined;
  llm_call_id?: number | undefined;
  sort: { by: 'created_at' | 'name' | 'numeric_value' | 'source'; direction: 'asc' | 'desc' };
  limit: number;
  offset: number;
}

/** One page. */
export function listScores(db: Db, tenantId: string, filter: ScoreFilter) {
  const { by, direction } = filter.sort;
  let page = found(db, tenantId, filter).selectAll('found');
  // Scores without a number come last either way.
  if (by === 'numeric_value') page = page.orderBy(by, (order) => order[direction]().nullsLast());
  else page = page.orderBy(by, direction);
  if (by === 'name' || by === 'source') page = page.orderBy('created_at', direction);
  return page.orderBy('id', direction).limit(filter.limit).offset(filter.offset).execute();
}

type Scores = SelectQueryBuilder<Tables & { found: Tables['scores'] }, 'found', object>;

function found(db: Db, tenantId: string, filter: ScoreFilter): Scores {
  let scores = db.selectFrom('scores').selectAll().where('tenant_id', '=', tenantId);
  for (const column of ['name', 'source', 'data_type', 'run_id', 'llm_call_id'] as const) {
    const value = filter[column];
    if (value) scores = scores.where(column, '=', value);
  }
  if (!isOfOneRun(filter)) return db.selectFrom(scores.as('found'));
  // The scores of a call stand with those of its run.
  if (filter.llm_call_id !== undefined)
    scores = scores.where('run_id', '=', runOfCall(db, tenantId, filter.llm_call_id));
  // Those of one run are few: found by the run first, and only then sorted. SQLite without
  // statistics would rather walk all scores in the order of an index.
  return db
    .with(
      (cte) => cte('found').materialized(),
      () => scores,
    )
    .selectFrom('found');
}

const isOfOneRun = ({ run_id, llm_call_id }: ScoreFilter): boolean =>
  run_id !== undefined || llm_call_id !== undefined;

const runOfCall = (db: Db, tenantId: string, callId: number) =>
  db
    .selectFrom('llm_calls')
    .select('run_id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', callId);

/** Counts and sums by name of all that a filter finds. */
export function sumScores(db: Db, tenantId: string, filter: ScoreFilter): Promise<ScoreSums[]> {
  return isOfOneRun(filter) ? sumOfRun(db, tenantId, filter) : sumTotals(db, tenantId, filter);
}

const sumOfRun = (db: Db, tenantId: string, filter: ScoreFilter): Promise<ScoreSums[]> =>
  found(db, tenantId, filter)
    .select((eb) => [
      'name',
      'data_type',
      eb.fn.countAll<number>().as('score_count'),
      eb.fn.count<number>('numeric_value').as('numeric_count'),
      eb.fn.coalesce(eb.fn.sum<number>('numeric_value'), sql.lit(0)).as('numeric_sum'),
    ])
    .groupBy(['name', 'data_type'])
    .execute();

function sumTotals(db: Db, tenantId: string, filter: ScoreFilter): Promise<ScoreSums[]> {
  let totals = db
    .selectFrom('score_totals')
    .select(['name', 'data_type', 'score_count', 'numeric_count', 'numeric_sum'])
    .where('tenant_id', '=', tenantId);
  for (const column of ['name', 'source', 'data_type'] as const) {
    const value = filter[column];
    if (value) totals = totals.where(column, '=', value);
  }
  return totals.execute();
}

/** The call that a score is given to. */
export const findCall = (db: Db, tenantId: string, id: number) =>
  db
    .selectFrom('llm_calls')
    .select(['id', 'run_id', 'model'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();

export async function runExists(db: Db, tenantId: string, id: number): Promise<boolean> {
  const run = await db
    .selectFrom('runs')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return run !== undefined;
}

export interface DistributionFilter {
  agent?: string | undefined;
  name?: string | undefined;
  hours: Hours;
}

/** Scores by name, type and UTC day. */
export function listScoreDays(
  db: Db,
  tenantId: string,
  { agent, name, hours }: DistributionFilter,
): Promise<ScoreDay[]> {
  const day = sql<number>`hour / 24`;
  let scores = db
    .selectFrom('score_hours')
    .where('tenant_id', '=', tenantId)
    // The empty name holds the scores of all agents together.
    .where('agent_name', '=', agent ?? '')
    .where('hour', '>=', hours.from)
    .where('hour', '<=', hours.to);
  if (name) scores = scores.where('name', '=', name);
  return scores
    .select(({ fn }) => [
      day.as('day'),
      'name',
      'data_type',
      fn.sum<number>('score_count').as('score_count'),
      fn.sum<number>('numeric_count').as('numeric_count'),
      fn.sum<number>('numeric_sum').as('numeric_sum'),
      fn.min('numeric_min').as('numeric_min'),
      fn.max('numeric_max').as('numeric_max'),
    ])
    .groupBy([day, 'name', 'data_type'])
    .execute();
}

const SHOWN_VALUES = 100;

/** The most frequent values of each name and type. */
export function listValueCounts(
  db: Db,
  tenantId: string,
  { agent, name, hours }: DistributionFilter,
): Promise<ValueCount[]> {
  let scores = db
    .selectFrom('score_value_hours')
    .where('tenant_id', '=', tenantId)
    .where('agent_name', '=', agent ?? '')
    .where('hour', '>=', hours.from)
    .where('hour', '<=', hours.to);
  if (name) scores = scores.where('name', '=', name);
  const counts = scores
    .select(({ fn }) => ['name', 'data_type', 'value', fn.sum<number>('score_count').as('count')])
    .groupBy(['name', 'data_type', 'value']);
  const ranked = db
    .selectFrom(counts.as('counts'))
    .selectAll()
    .select(({ fn }) =>
      fn
        .agg<number>('row_number')
        .over((over) =>
          over.partitionBy(['name', 'data_type']).orderBy('count', 'desc').orderBy('value'),
        )
        .as('rank'),
    );
  return db
    .selectFrom(ranked.as('ranked'))
    .select(['name', 'data_type', 'value', 'count'])
    .where('rank', '<=', SHOWN_VALUES)
    .execute();
}
