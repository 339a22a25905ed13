import { type SelectQueryBuilder, sql } from 'kysely';
import { MAX_SORTED } from '#contract/filters.ts';
import { type BoundedCount, countBounded } from './bounded-count.ts';
import type { Db } from './open.ts';

interface Sortable {
  /** Rows without a value come last in both directions. */
  sort_value: string | number | null;
  at: number;
  id: string | number;
}

export interface SortedPage {
  direction: 'asc' | 'desc';
  limit: number;
  offset: number;
}

/** Returns one page of rows in an order that no index has. `latest` must be bounded. */
export async function sortLatest<DB, TB extends keyof DB, R extends Sortable>(
  db: Db,
  latest: SelectQueryBuilder<DB, TB, R>,
  { direction, limit, offset }: SortedPage,
): Promise<R[]> {
  const way = sql.raw(direction);
  const { rows } = await sql<R>`select * from (${latest}) as latest
    order by sort_value ${way} nulls last, at ${way}, id ${way}
    limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

/** Counts the rows of such a list, whose pages end with the latest rows. */
export async function countSorted<DB, TB extends keyof DB>(
  db: Db,
  rows: SelectQueryBuilder<DB, TB, object>,
): Promise<BoundedCount & { incomplete: boolean }> {
  const { count, count_exact } = await countBounded(db, rows, { limit: MAX_SORTED, offset: 0 });
  return count > MAX_SORTED
    ? { count: MAX_SORTED, count_exact: false, incomplete: true }
    : { count, count_exact, incomplete: false };
}
