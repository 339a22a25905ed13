import type { SelectQueryBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Db } from './open.ts';

/** Rows are counted so far at least. */
const COUNTED = 10_000;

export interface BoundedCount {
  count: number;
  /** False: there are at least so many. */
  count_exact: boolean;
}

/**
 * The same for a page whose `shown` rows were read already: one that is not full is the last, and
 * says by itself how many there are.
 */
export async function countBeside<DB, TB extends keyof DB>(
  db: Db,
  query: SelectQueryBuilder<DB, TB, object>,
  page: { limit: number; offset: number },
  shown: number,
): Promise<BoundedCount> {
  const isLast = shown < page.limit && (shown > 0 || page.offset === 0);
  return isLast ? { count: page.offset + shown, count_exact: true } : countBeyond(db, query, page);
}

/**
 * How many rows a query without selections finds, as far as whoever reads this page may care: a
 * count of all would read all, however many a tenant has.
 */
export async function countBeyond<DB, TB extends keyof DB>(
  db: Db,
  query: SelectQueryBuilder<DB, TB, object>,
  { limit, offset }: { limit: number; offset: number },
): Promise<BoundedCount> {
  const most = Math.max(COUNTED, offset + limit + 1);
  const found = query.select(sql`1`.as('one')).limit(most + 1);
  const { rows } = await sql<{
    count: number;
  }>`select count(*) as count from (${found}) as found`.execute(db);
  const count = rows[0]?.count ?? 0;
  return { count: Math.min(count, most), count_exact: count <= most };
}
