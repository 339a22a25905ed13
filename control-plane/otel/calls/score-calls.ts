import type { Recording } from '../../recording/queries.ts';
import { type Node, nodeKey } from '../nesting.ts';
import type { PreparedSpan } from '../prepare.ts';
import { findScoresOfCalls, setCallOfScores } from './call-queries.ts';

/** A span whose call got another id, or with 0 is none any more. `node` still has the id before. */
export interface ChangedCall {
  node: Node;
  call_id: number;
  model: string;
}

/**
 * Scores stand on the call of the span that told them. Whoever gave them, they follow a call that is
 * stored anew, and are of the run alone when it no longer counts.
 */
export async function scoreCalls(
  recording: Recording,
  tenantId: string,
  changes: readonly ChangedCall[],
  { spans, runIds }: { spans: readonly PreparedSpan[]; runIds: readonly number[] },
): Promise<void> {
  const told = new Map(
    spans.map(({ node, work }) => [keyOf(node), work?.scores.map(({ id }) => id) ?? []]),
  );
  const before = changes.flatMap(({ node }) => (node.call_id > 0 ? [node.call_id] : []));
  const stored = await findScoresOfCalls(recording, tenantId, runIds, before);
  for (const { node, call_id, model } of changes) {
    const ids = [...(told.get(keyOf(node)) ?? []), ...(stored.get(node.call_id) ?? [])];
    const call = call_id > 0 ? { id: call_id, model } : undefined;
    if (ids.length > 0) await setCallOfScores(recording, tenantId, ids, call);
  }
}

const keyOf = ({ trace_id, span_id }: Node): string => nodeKey(trace_id, span_id);
