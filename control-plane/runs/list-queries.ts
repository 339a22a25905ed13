import { sql } from 'kysely';
import { bucketLength } from '../lib/bucket-length.ts';
import { countOf } from '../storage/bounded-count.ts';
import { firstCharacters } from '../storage/list-columns.ts';
import type { Db } from '../storage/open.ts';
import { orderByIds } from '../storage/row-order.ts';
import { valueList } from '../storage/value-list.ts';
import { findRunFindings } from './findings-queries.ts';
import { errorCount, runsOf, sortValue } from './list-filter-queries.ts';
import { isCounted, type RunFilter, type RunSort } from './list-rules.ts';

export interface RunSelection {
  tenantId: string;
  filter: RunFilter;
  /** The runs that a search found; undefined without a search. */
  found: readonly number[] | undefined;
}

interface RunPage {
  sort: RunSort;
  limit: number;
  offset: number;
}

/** Returns one page and the number of all matching runs. */
export async function listRuns(db: Db, selection: RunSelection, page: RunPage) {
  const { by, direction } = page.sort;
  const [slice, count] = await Promise.all([
    selected(db, selection)
      .select('runs.id')
      .orderBy(sortValue[by], direction)
      .orderBy('runs.id', direction)
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    countRuns(db, selection),
  ]);
  const ids = slice.map(({ id }) => id);
  return { rows: await listedRuns(db, selection.tenantId, ids), count };
}

const selected = (db: Db, { tenantId, filter, found }: RunSelection) =>
  runsOf(db, tenantId, filter, found);

/**
 * Counts runs from the totals where possible, so that the list without other filters needs no scan.
 */
export async function countRuns(db: Db, selection: RunSelection): Promise<number> {
  const { tenantId, filter, found } = selection;
  if (found || !isCounted(filter)) return countOf(selected(db, selection));
  let totals = db.selectFrom('run_totals').where('tenant_id', '=', tenantId);
  if (filter.agent) totals = totals.where('agent_name', '=', filter.agent);
  if (filter.status) totals = totals.where('status', '=', filter.status);
  const total = await totals
    .select((eb) => eb.fn.sum<number | null>('run_count').as('count'))
    .executeTakeFirst();
  return total?.count ?? 0;
}

/** Reads a page. Its ids come from an index, so that only these rows are read in full. */
async function listedRuns(db: Db, tenantId: string, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const runs = db
    .selectFrom('runs')
    .select(['id', 'agent_name', 'workflow_name', 'trace_id', 'session_id', 'user_id', 'status'])
    .select(['started_at', 'completed_at', 'llm_call_count', 'tokens', 'cost', 'tags'])
    .select([errorCount.as('error_count'), firstCharacters('error').as('error')])
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', valueList(ids));
  const [rows, findingsOf] = await Promise.all([
    runs.execute(),
    findRunFindings(db, tenantId, ids),
  ]);
  return orderByIds(ids, rows).map((row) => ({ ...row, ...findingsOf(row.id) }));
}

interface After {
  value: number;
  id: number;
}

/**
 * Yields runs in order, a few at a time, each once. It continues after the last run instead of at
 * an offset, so that runs that start in the meantime do not shift the others.
 */
export async function* eachRun(
  db: Db,
  selection: RunSelection,
  { sort: { by, direction }, size, max }: { sort: RunSort; size: number; max: number },
) {
  const seen = new Set<number>();
  let after: After | undefined;
  while (seen.size < max) {
    let runs = selected(db, selection).select(['runs.id', sortValue[by].as('value')]);
    if (after) runs = runs.where(isAfter(by, direction, after));
    const slice = await runs
      .orderBy(sortValue[by], direction)
      .orderBy('runs.id', direction)
      .limit(Math.min(size, max - seen.size))
      .execute();
    // A run whose value has grown in the meantime may be read again.
    const ids = slice.map(({ id }) => id).filter((id) => !seen.has(id));
    for (const id of ids) seen.add(id);
    yield await listedRuns(db, selection.tenantId, ids);
    after = slice.at(-1);
    if (slice.length < size || !after) return;
  }
}

const isAfter = (by: RunSort['by'], direction: RunSort['direction'], { value, id }: After) =>
  sql<boolean>`(${sortValue[by]}, runs.id) ${sql.raw(direction === 'asc' ? '>' : '<')} (${value}, ${id})`;

/**
 * Returns totals, and the same by time. SQLite reads only an index, unless the filter needs the
 * rows.
 */
export async function summarizeRuns(db: Db, selection: RunSelection) {
  const ends = await selected(db, selection)
    .select(({ fn }) => [
      fn.min<number | null>('runs.started_at').as('first'),
      fn.max<number | null>('runs.started_at').as('last'),
    ])
    .executeTakeFirst();
  const first = ends?.first ?? null;
  const last = ends?.last ?? null;
  if (first === null || last === null) return { length: 0, buckets: [] };
  const length = bucketLength(first, last);
  const bucket = sql<number>`runs.started_at - runs.started_at % ${sql.lit(length)}`;
  const buckets = await selected(db, selection)
    .select(({ fn }) => [
      bucket.as('start'),
      fn.countAll<number>().as('runs'),
      sql<number>`sum(case when runs.status = 'error' then 1 else 0 end)`.as('errors'),
      fn.sum<number>('runs.cost').as('cost'),
      fn.sum<number>('runs.tokens').as('tokens'),
      sql<number>`sum(coalesce(runs.completed_at - runs.started_at, 0))`.as('duration'),
    ])
    .groupBy(bucket)
    .orderBy(bucket)
    .execute();
  return { length, buckets };
}
