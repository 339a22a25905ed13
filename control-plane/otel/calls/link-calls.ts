import type { NewCall, Recording } from '../../recording/queries.ts';
import type { Node } from '../nesting.ts';
import { setCallIds } from './call-queries.ts';
import type { RevisedCalls } from './revise-calls.ts';
import type { ChangedCall } from './score-calls.ts';

interface Stored {
  /** The ids of the stored calls. */
  ids: ReadonlyMap<NewCall, number>;
  /** The spans of new traces, which are not stored yet. */
  first: readonly Node[];
}

/**
 * Links the stored calls to their spans by id. Returns the changes, and the spans of new traces
 * with their links, which are yet to be stored.
 */
export async function linkCalls(
  recording: Recording,
  tenantId: string,
  { calls, demoted }: RevisedCalls,
  { ids, first }: Stored,
): Promise<{ changes: ChangedCall[]; linked: Node[] }> {
  const changes = demoted.map((node) => ({ node, call_id: 0, model: '' }));
  for (const { node, call } of calls) {
    const call_id = ids.get(call);
    if (call_id !== undefined) changes.push({ node, call_id, model: call.model });
  }
  const byNode = new Map(changes.map(({ node, call_id }) => [node, call_id]));
  const isFirst = new Set(first);
  await setCallIds(
    recording,
    tenantId,
    changes.filter(({ node }) => !isFirst.has(node)),
  );
  return { changes, linked: first.map((node) => withCall(node, byNode.get(node))) };
}

const withCall = (node: Node, call_id: number | undefined): Node =>
  call_id === undefined ? node : { ...node, call_id, counted: call_id > 0 ? 1 : 0 };
