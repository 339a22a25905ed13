import type { Recording } from '../../recording/queries.ts';
import type { RunRef } from '../../usage/count.ts';
import { findNewCalls, setCallIds } from './call-queries.ts';
import type { CallOfNode, RecordedCalls } from './record-calls.ts';
import type { ChangedCall } from './score-calls.ts';

/**
 * Links stored calls to their spans and returns the changes. The calls of a run were inserted in
 * this order after the id `after`; other transactions may have inserted more into the same run.
 */
export async function linkCalls(
  recording: Recording,
  tenantId: string,
  { calls, demoted }: RecordedCalls,
  { runs, after }: { runs: ReadonlyMap<string, RunRef>; after: number },
): Promise<ChangedCall[]> {
  const ids = [...new Set([...runs.values()].map(({ id }) => id))];
  const stored = calls.length > 0 ? await findNewCalls(recording, tenantId, ids, after) : [];
  const changes = demoted.map((node) => ({ node, call_id: 0, model: '' }));
  const unmatched = Map.groupBy(stored, ({ run_id }) => run_id);
  for (const { node, call } of calls) {
    const rows = unmatched.get(runs.get(node.trace_id)?.id ?? 0) ?? [];
    const index = rows.findIndex((row) => isSame(row, call));
    const [row] = index < 0 ? [] : rows.splice(0, index + 1).slice(-1);
    if (row) changes.push({ node, call_id: row.id, model: call.model });
  }
  await setCallIds(recording, tenantId, changes);
  return changes;
}

type ScoredIds = Pick<CallOfNode['call'], 'created_at' | 'model' | 'total_tokens' | 'duration_ms'>;

const isSame = (a: ScoredIds, b: ScoredIds): boolean =>
  a.created_at === b.created_at &&
  a.model === b.model &&
  a.total_tokens === b.total_tokens &&
  a.duration_ms === b.duration_ms;
