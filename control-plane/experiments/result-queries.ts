import { sql } from 'kysely';
import { countOf } from '../storage/bounded-count.ts';
import type { Db } from '../storage/open.ts';
import { valueList } from '../storage/value-list.ts';
import type { ExperimentKey } from './queries.ts';

interface Paging {
  limit: number;
  offset: number;
}

const listed = [
  'item_id',
  'position',
  'status',
  'input_preview',
  'expected_preview',
  'output_preview',
  'latency_ms',
  'tokens_in',
  'tokens_out',
  'cost',
  'evaluation_cost',
  'error',
  'completed_at',
] as const;

const resultsOf = (db: Db, { tenant_id, experiment_id }: ExperimentKey) =>
  db
    .selectFrom('experiment_results')
    .where('tenant_id', '=', tenant_id)
    .where('experiment_id', '=', experiment_id);

/** Returns one page of results in the order of the items, and their number. */
export async function listResults(
  db: Db,
  key: ExperimentKey,
  { limit, offset, status }: Paging & { status?: 'pending' | 'completed' | 'failed' | undefined },
) {
  let results = resultsOf(db, key);
  if (status !== undefined) results = results.where('status', '=', status);
  const rows = await results
    .select(listed)
    .orderBy('position')
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, count: await countOf(results) };
}

export const findResult = (db: Db, key: ExperimentKey, itemId: string) =>
  resultsOf(db, key)
    .select([
      ...listed,
      'input',
      'expected_output',
      'output',
      'tool_calls',
      'missing_variables',
      'ignored_settings',
    ])
    .where('item_id', '=', itemId)
    .executeTakeFirst();

/** Returns the results of these items. */
export const listResultsOf = (db: Db, key: ExperimentKey, itemIds: readonly string[]) =>
  resultsOf(db, key).select(listed).where('item_id', 'in', valueList(itemIds)).execute();

/** Finds the items whose input or expected output changed between two experiments. */
export async function listChanged(
  db: Db,
  { tenant_id, experiment_id }: ExperimentKey,
  other: string,
  itemIds: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('experiment_results as a')
    .innerJoin('experiment_results as b', (join) =>
      join.onRef('b.tenant_id', '=', 'a.tenant_id').onRef('b.item_id', '=', 'a.item_id'),
    )
    .select('a.item_id')
    .where('a.tenant_id', '=', tenant_id)
    .where('a.experiment_id', '=', experiment_id)
    .where('b.experiment_id', '=', other)
    .where('a.item_id', 'in', valueList(itemIds))
    .where((eb) =>
      eb.or([
        eb('a.input', '!=', eb.ref('b.input')),
        eb(
          eb.fn.coalesce('a.expected_output', sql<string>`''`),
          '!=',
          eb.fn.coalesce('b.expected_output', sql<string>`''`),
        ),
      ]),
    )
    .execute();
  return new Set(rows.map(({ item_id }) => item_id));
}

/** Returns the scores of evaluators for the outputs of these items. */
export const listScores = (
  db: Db,
  { tenant_id, experiment_id }: ExperimentKey,
  itemIds: readonly string[],
) =>
  db
    .selectFrom('experiment_scores')
    .select(['item_id', 'name', 'value', 'passed', 'reason', 'error'])
    .where('tenant_id', '=', tenant_id)
    .where('experiment_id', '=', experiment_id)
    .where('item_id', 'in', valueList(itemIds))
    .execute();

/**
 * Returns one page of the items that are in either experiment, in their order, and their number.
 */
export async function listComparedItems(
  db: Db,
  { tenant_id, experiment_id }: ExperimentKey,
  other: string,
  { limit, offset }: Paging,
) {
  const items = db
    .selectFrom('experiment_results')
    .where('tenant_id', '=', tenant_id)
    .where('experiment_id', 'in', valueList([experiment_id, other]));
  const rows = await items
    .select(({ fn }) => ['item_id', fn.min<number>('position').as('position')])
    .groupBy('item_id')
    .orderBy('position')
    .limit(limit)
    .offset(offset)
    .execute();
  const total = await items
    .select(({ fn }) => fn.count<number>('item_id').distinct().as('count'))
    .executeTakeFirstOrThrow();
  return { rows, count: total.count };
}
