import type { SelectQueryBuilder } from 'kysely';

/** How many rows a query without selections finds. */
export async function countOf<DB, TB extends keyof DB>(
  query: SelectQueryBuilder<DB, TB, object>,
): Promise<number> {
  const row = await query.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow();
  return (row as { count: number }).count;
}
