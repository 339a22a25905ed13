import type { Recording } from '../../recording/queries.ts';
import { type Node, nodeKey } from '../nesting.ts';
import type { PreparedSpan } from '../prepare-span.ts';
import { findScoresOfCalls, setCallOfScores } from './call-queries.ts';

/** A span whose call id changes; 0 if it no longer has a call. `node` still has the previous id. */
export interface ChangedCall {
  node: Node;
  call_id: number;
  model: string;
}

/**
 * Attaches scores to the calls of the spans that reported them. All scores of a call move with it
 * when it is stored again, and belong only to the run if the call no longer counts.
 */
export async function scoreCalls(
  recording: Recording,
  tenantId: string,
  changes: readonly ChangedCall[],
  { spans, runIds }: { spans: readonly PreparedSpan[]; runIds: readonly number[] },
): Promise<void> {
  const scoreIds = new Map(
    spans
      .filter(({ work }) => work && work.scores.length > 0)
      .map(({ node, work }) => [keyOf(node), work?.scores.map(({ id }) => id) ?? []]),
  );
  if (scoreIds.size === 0 && changes.every(({ node }) => node.call_id === 0)) return;
  const before = changes.flatMap(({ node }) => (node.call_id > 0 ? [node.call_id] : []));
  const stored = await findScoresOfCalls(recording, tenantId, runIds, before);
  for (const { node, call_id, model } of changes) {
    const ids = [...(scoreIds.get(keyOf(node)) ?? []), ...(stored.get(node.call_id) ?? [])];
    const call = call_id > 0 ? { id: call_id, model } : undefined;
    if (ids.length > 0) await setCallOfScores(recording, tenantId, ids, call);
  }
}

const keyOf = ({ trace_id, span_id }: Node): string => nodeKey(trace_id, span_id);
