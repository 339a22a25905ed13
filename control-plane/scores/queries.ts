import { type SelectQueryBuilder, sql } from 'kysely';
import type { scoreSorts } from '#contract/scores.ts';
import type { Hours } from '../analytics/period.ts';
import { orderByIds } from '../storage/row-order.ts';
import { jsonUnlessLong, truncatedText, isTruncated } from '../storage/list-columns.ts';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import { valueList } from '../storage/value-list.ts';
import type { ScoreDay, ScoreSums, ValueCount } from './rules.ts';

type Kind = Partial<Pick<Tables['scores'], 'name' | 'source' | 'data_type'>>;

/** A selection of scores. Times are in milliseconds, with `start` ≤ `created_at` < `end`. */
export interface ScoreSelection {
  name?: string | undefined;
  source?: Kind['source'] | undefined;
  data_type?: Kind['data_type'] | undefined;
  run_id?: number | undefined;
  llm_call_id?: number | undefined;
  agent?: string | undefined;
  value?: string | undefined;
  min_value?: number | undefined;
  max_value?: number | undefined;
  start?: number | undefined;
  end?: number | undefined;
}

export interface ScoreFilter extends ScoreSelection {
  sort: { by: (typeof scoreSorts)[number]; direction: 'asc' | 'desc' };
  limit: number;
  offset: number;
}

const shortColumns = [
  'id',
  'name',
  'data_type',
  'source',
  'numeric_value',
  'string_value',
  'author_user_id',
  'evaluator_id',
  'evaluator_name',
  'run_id',
  'run_agent_name',
  'llm_call_id',
  'llm_call_model',
  'created_at',
] as const;

export const findScore = (db: Db, tenantId: string, id: string) =>
  db
    .selectFrom('scores')
    .select([...shortColumns, 'comment', 'metadata'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();

/** Returns one page of the `count` matching scores, with long fields cut. */
export async function listScores(db: Db, tenantId: string, filter: ScoreFilter, count: number) {
  return scoresOf(db, tenantId, await listScoreIds(db, tenantId, filter, count));
}

/** Returns the ids of one page of the `count` matching scores. */
export async function listScoreIds(db: Db, tenantId: string, filter: ScoreFilter, count: number) {
  const page = await pageOf(db, tenantId, filter, count).execute();
  return page.map(({ id }) => id);
}

/**
 * Returns the scores with these ids. They are found separately, so that only these rows are read in
 * full.
 */
export async function scoresOf(db: Db, tenantId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('scores')
    .select(shortColumns)
    .select([truncatedText('comment').as('comment'), jsonUnlessLong('metadata').as('metadata')])
    .select(isTruncated('comment', 'metadata').as('truncated'))
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', valueList(ids))
    .execute();
  return orderByIds(ids, rows);
}

type Sorted = Pick<Tables['scores'], 'id' | 'data_type' | ScoreFilter['sort']['by']>;
type ScoreSubject = SelectQueryBuilder<Tables & { found: Sorted }, 'found', object>;

function pageOf(db: Db, tenantId: string, filter: ScoreFilter, count: number) {
  const { by, direction } = filter.sort;
  let page = matching(db, tenantId, filter, count).select('found.id');
  // Scores without a number sort last in both directions.
  if (by === 'numeric_value') page = page.orderBy(by, (order) => order[direction]().nullsLast());
  else page = page.orderBy(by, direction);
  if (by !== 'created_at' && by !== 'numeric_value') page = page.orderBy('created_at', direction);
  return page.orderBy('id', direction).limit(filter.limit).offset(filter.offset);
}

/**
 * The number of scores up to which they are selected first and then sorted. With more, a sorted
 * index soon yields a page.
 */
const MAX_SORTED = 5000;

function matching(db: Db, tenantId: string, filter: ScoreFilter, count: number): ScoreSubject {
  if (isOfOneRun(filter))
    return materialized(db, selectedScores(db, tenantId, filter).select(sortColumns));
  if (count <= MAX_SORTED && needsRows(filter))
    return materialized(db, ofFilter(db, tenantId, filter).select(sortColumns));
  if (count <= MAX_SORTED && isOfKind(filter)) {
    let scores = materialized(db, ofNames(db, tenantId, filter));
    for (const column of ['source', 'data_type'] as const) {
      const value = filter[column];
      if (value) scores = scores.where(column, '=', value);
    }
    return scores;
  }
  return db.selectFrom(scoresInOrder(db, tenantId, filter).as('found'));
}

/**
 * Materializes the selection, because SQLite would otherwise walk all scores in the order of an
 * index.
 */
const materialized = (db: Db, scores: SelectQueryBuilder<Tables, 'scores', Sorted>): ScoreSubject =>
  db
    .with(
      (cte) => cte('found').materialized(),
      () => scores,
    )
    .selectFrom('found');

const sortColumns = [
  'scores.id',
  'scores.created_at',
  'scores.data_type',
  'scores.name',
  'scores.numeric_value',
  'scores.run_agent_name',
  'scores.source',
] as const;

const KIND = ['name', 'source', 'data_type'] as const;

const isOfKind = (filter: ScoreSelection): boolean => KIND.some((column) => filter[column]);

/**
 * Selects scores through the index of names, with the names that have such scores according to the
 * totals. Source and type are filtered later: otherwise SQLite would search by source.
 */
function ofNames(db: Db, tenantId: string, filter: ScoreSelection) {
  const names = kindsOf(db, tenantId, filter)
    .select('name')
    .where('score_count', '>', 0)
    .groupBy('name');
  return db
    .selectFrom(names.as('names'))
    .crossJoin('scores')
    .where('scores.tenant_id', '=', tenantId)
    .whereRef('scores.name', '=', 'names.name')
    .select(sortColumns);
}

function scoresInOrder(db: Db, tenantId: string, filter: ScoreFilter) {
  const { by } = filter.sort;
  let scores = ofFilter(db, tenantId, filter);
  // In the order of names, scores outside the range of matching names are skipped.
  if (isOfKind(filter) && (by === 'name' || by === 'source')) {
    const kinds = () => kindsOf(db, tenantId, filter).where('score_count', '>', 0);
    scores = scores
      .where(by, '>=', (eb) => kinds().select(eb.fn.min(by).as('first')))
      .where(by, '<=', (eb) => kinds().select(eb.fn.max(by).as('last')));
  }
  return scores.select(sortColumns);
}

function ofFilter(db: Db, tenantId: string, filter: ScoreSelection) {
  let scores = db.selectFrom('scores').where('tenant_id', '=', tenantId);
  for (const column of [...KIND, 'run_id', 'llm_call_id'] as const) {
    const value = filter[column];
    if (value) scores = scores.where(column, '=', value);
  }
  if (filter.agent) scores = scores.where('run_agent_name', '=', filter.agent);
  if (filter.value) scores = scores.where('string_value', '=', filter.value);
  const { min_value, max_value, start, end } = filter;
  if (min_value !== undefined) scores = scores.where('numeric_value', '>=', min_value);
  if (max_value !== undefined) scores = scores.where('numeric_value', '<=', max_value);
  if (start !== undefined) scores = scores.where('created_at', '>=', start);
  if (end !== undefined) scores = scores.where('created_at', '<', end);
  return scores;
}

/**
 * Whether the filter requires reading single scores, because the stored totals by name are not
 * sufficient.
 */
const needsRows = ({ agent, value, ...bounds }: ScoreSelection): boolean =>
  Boolean(agent || value) ||
  [bounds.min_value, bounds.max_value, bounds.start, bounds.end].some(
    (bound) => bound !== undefined,
  );

/** Selects the scores that pass the filter. */
export function selectedScores(db: Db, tenantId: string, filter: ScoreSelection) {
  const scores = ofFilter(db, tenantId, filter);
  // The scores of a call are indexed by its run.
  return filter.llm_call_id === undefined
    ? scores
    : scores.where('run_id', '=', runOfCall(db, tenantId, filter.llm_call_id));
}

const isOfOneRun = ({ run_id, llm_call_id }: ScoreSelection): boolean =>
  run_id !== undefined || llm_call_id !== undefined;

const runOfCall = (db: Db, tenantId: string, callId: number) =>
  db
    .selectFrom('llm_calls')
    .select('run_id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', callId);

/** Returns the counts and sums of all matching scores, by name. */
export function sumScores(db: Db, tenantId: string, filter: ScoreSelection): Promise<ScoreSums[]> {
  return isOfOneRun(filter) || needsRows(filter)
    ? sumOfRows(db, tenantId, filter)
    : sumTotals(db, tenantId, filter);
}

const sumOfRows = (db: Db, tenantId: string, filter: ScoreSelection): Promise<ScoreSums[]> =>
  selectedScores(db, tenantId, filter)
    .select((eb) => [
      'name',
      'data_type',
      eb.fn.countAll<number>().as('score_count'),
      eb.fn.count<number>('numeric_value').as('numeric_count'),
      eb.fn.coalesce(eb.fn.sum<number>('numeric_value'), sql.lit(0)).as('numeric_sum'),
    ])
    .groupBy(['name', 'data_type'])
    .execute();

const sumTotals = (db: Db, tenantId: string, filter: ScoreSelection): Promise<ScoreSums[]> =>
  kindsOf(db, tenantId, filter)
    .select(['name', 'data_type', 'score_count', 'numeric_count', 'numeric_sum'])
    .execute();

/** Selects the totals of the matching names, types and sources. */
function kindsOf(db: Db, tenantId: string, filter: ScoreSelection) {
  let kinds = db.selectFrom('score_totals').where('tenant_id', '=', tenantId);
  if (filter.name) kinds = kinds.where('name', '=', filter.name);
  for (const column of ['source', 'data_type'] as const) {
    const value = filter[column];
    // This is an expression, because with the index SQLite would go through the names of all
    // tenants.
    if (value) kinds = kinds.where((eb) => eb.fn.coalesce(column, eb.val('')), '=', value);
  }
  return kinds;
}

/** Finds the call to score. */
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

/** Returns scores by name, type and UTC day. */
export function listScoreDays(
  db: Db,
  tenantId: string,
  { agent, name, hours }: DistributionFilter,
): Promise<ScoreDay[]> {
  const day = sql<number>`hour / 24`;
  let scores = db
    .selectFrom('score_hours')
    .where('tenant_id', '=', tenantId)
    // The empty name holds the totals of all agents.
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

const MAX_VALUES = 100;

/** Returns the most frequent values of each name and type. */
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
    .where('rank', '<=', MAX_VALUES)
    .execute();
}
