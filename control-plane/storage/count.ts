import type { SelectQueryBuilder } from 'kysely';

/** Counts the rows of a query without selections. */
export async function countOf<DB, TB extends keyof DB>(
  query: SelectQueryBuilder<DB, TB, object>,
): Promise<number> {
  const row = await query.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow();
  return (row as { count: number }).count;
}
