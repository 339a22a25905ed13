/**
 * Runs work for every tenant concurrently, on its own items. A failure for one tenant does not
 * affect the others.
 *
 * @throws the first error, after all have finished
 */
export async function eachTenant<T>(
  items: readonly T[],
  tenantOf: (item: T) => string,
  work: (tenantId: string, items: readonly T[]) => Promise<unknown>,
): Promise<void> {
  const works = [...Map.groupBy(items, tenantOf)].map(([tenantId, of]) => work(tenantId, of));
  for (const result of await Promise.allSettled(works))
    if (result.status === 'rejected') throw result.reason;
}
