import type { Tx } from '../transaction.ts';

/**
 * Ids that are further apart form two ranges, so that the calls between them are not read again.
 */
const GAP = 1000;

/**
 * Stores which calls were changed. Until the index is updated, searches read these calls from their
 * table.
 */
export async function recordChanges(
  tx: Tx,
  tenant_id: string,
  callIds: readonly number[],
): Promise<void> {
  const rows = rangesOf(callIds).map((range) => ({ tenant_id, ...range }));
  if (rows.length > 0) await tx.bulk.insert('search_changes', rows);
}

export function rangesOf(ids: readonly number[]): { first_id: number; last_id: number }[] {
  const ranges: { first_id: number; last_id: number }[] = [];
  for (const id of ids.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && id - last.last_id <= GAP) last.last_id = id;
    else ranges.push({ first_id: id, last_id: id });
  }
  return ranges;
}
