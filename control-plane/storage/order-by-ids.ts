/** Sorts rows that were selected by id into the order of the ids. */
export function orderByIds<I, R extends { id: I }>(ids: readonly I[], rows: readonly R[]): R[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
