/**
 * Sorts values by key in the same order in every process, so that transactions that write the same
 * rows cannot deadlock.
 */
export const sortByKey = <R>(rows: Iterable<readonly [string, R]>): R[] =>
  [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);

/** Sorts rows that were selected by id into the order of the ids. */
export function orderByIds<I, R extends { id: I }>(ids: readonly I[], rows: readonly R[]): R[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
