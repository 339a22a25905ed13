import { type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from './open.ts';

/** Rows are counted exactly up to at least this number. */
const COUNTED = 10_000;

export interface BoundedCount {
  count: number;
  /** False if `count` is only a lower bound. */
  count_exact: boolean;
}

/**
 * Counts like `countBounded` for a page whose rows were already read. A page that is not full is
 * the last one, so the total follows from it.
 */
export async function countAroundPage<DB, TB extends keyof DB>(
  db: Db,
  query: SelectQueryBuilder<DB, TB, object>,
  page: { limit: number; offset: number },
  rowCount: number,
): Promise<BoundedCount> {
  const isLast = rowCount < page.limit && (rowCount > 0 || page.offset === 0);
  return isLast
    ? { count: page.offset + rowCount, count_exact: true }
    : countBounded(db, query, page);
}

/**
 * Counts the rows of a query without selections, up to a bound that is high enough for this page.
 * An exact count would read all rows of a tenant.
 */
export async function countBounded<DB, TB extends keyof DB>(
  db: Db,
  query: SelectQueryBuilder<DB, TB, object>,
  { limit, offset }: { limit: number; offset: number },
): Promise<BoundedCount> {
  const bound = Math.max(COUNTED, offset + limit + 1);
  const bounded = query.select(sql`1`.as('one')).limit(bound + 1);
  const { rows } = await sql<{
    count: number;
  }>`select count(*) as count from (${bounded}) as found`.execute(db);
  const count = rows[0]?.count ?? 0;
  return { count: Math.min(count, bound), count_exact: count <= bound };
}

/** Returns how many of these sizes, from the first, fit the budget; at least one. */
export function countWithin(sizes: readonly number[], budget: number): number {
  let total = 0;
  const over = sizes.findIndex((size) => (total += size) > budget);
  return over === -1 ? sizes.length : Math.max(1, over);
}

/** Counts the rows of a query without selections. */
export async function countOf<DB, TB extends keyof DB>(
  query: SelectQueryBuilder<DB, TB, object>,
): Promise<number> {
  const row = await query.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow();
  return (row as { count: number }).count;
}
