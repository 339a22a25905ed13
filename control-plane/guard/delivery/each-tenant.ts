/**
 * Works for every tenant at once on what is its own. What goes wrong for one concerns no other.
 *
 * @throws what went wrong first, when all are done
 */
export async function eachTenant<T>(
  items: readonly T[],
  tenantOf: (item: T) => string,
  work: (tenantId: string, items: readonly T[]) => Promise<unknown>,
): Promise<void> {
  const works = [...Map.groupBy(items, tenantOf)].map(([tenantId, of]) => work(tenantId, of));
  for (const done of await Promise.allSettled(works))
    if (done.status === 'rejected') throw done.reason;
}
