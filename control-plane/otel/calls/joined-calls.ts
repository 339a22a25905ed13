import type { NewCall } from '../../recording/queries.ts';
import type { RunRef } from '../../usage/count.ts';
import { enclosingCall, type Node, nodeKey, type Nodes } from '../nesting.ts';
import type { PreparedSpan } from '../prepare-span.ts';
import { byNodeKey, findDescendants, findNodes } from '../queries.ts';
import type { Recording } from '../../recording/queries.ts';
import { findCalls, removeCalls, type StoredCall } from './call-queries.ts';
import { joinCalls } from './join-rules.ts';
import type { CallOfNode } from './revise-calls.ts';

/** A stored call to which another report adds details. */
export interface JoinedCall {
  span: PreparedSpan;
  node: Node;
  stored: StoredCall;
  call: NewCall;
}

/**
 * Finds the stored calls to which repeated reports add information. A log record and a span of one
 * call have the same id, and may arrive in any order. A report that is sent again adds no
 * information.
 */
export async function findJoinedCalls(
  recording: Recording,
  tenantId: string,
  repeated: readonly PreparedSpan[],
): Promise<JoinedCall[]> {
  const reports = repeated.filter(({ span, work }) => span.client && work?.call);
  const ids = reports.map(({ node }) => node);
  const nodes = await countedNodes(recording, tenantId, await findNodes(recording, tenantId, ids));
  const callIds = [...nodes.values()].flatMap(({ call_id }) => (call_id > 0 ? [call_id] : []));
  const calls = await findCalls(recording, tenantId, callIds);
  return reports.flatMap((span) => {
    const node = nodes.get(nodeKey(span.node.trace_id, span.node.span_id));
    const stored = calls.get(node?.call_id ?? 0);
    if (!node || !stored || !span.work?.call) return [];
    const { id: _, run_id: __, ...known } = stored;
    const call = joinCalls(known, span.work.call);
    return call === known ? [] : [{ span, node, stored, call }];
  });
}

/**
 * Replaces each call that has exactly one counted call nested in it by that call, and returns the
 * nodes by the ids of the original ones.
 */
async function countedNodes(
  recording: Recording,
  tenantId: string,
  nodes: Nodes,
): Promise<ReadonlyMap<string, Node>> {
  const outer = [...nodes.values()].filter(({ kind, counted }) => kind === 'call' && !counted);
  if (outer.length === 0) return nodes;
  const all = byNodeKey([
    ...nodes.values(),
    ...(await findDescendants(recording, tenantId, outer)),
  ]);
  const inner = [...all.values()].filter(({ kind, counted }) => kind === 'call' && counted);
  const instead = new Map<string, Node>(nodes);
  for (const node of outer) {
    const nested = inner.filter((one) => enclosingCall(all, one) === node);
    const [only] = nested;
    if (only && nested.length === 1) instead.set(nodeKey(node.trace_id, node.span_id), only);
  }
  return instead;
}

/** Removes the stored calls, and returns the joined ones that replace them. */
export async function replaceJoinedCalls(
  recording: Recording,
  joined: readonly JoinedCall[],
  runs: ReadonlyMap<string, RunRef>,
): Promise<CallOfNode[]> {
  const replaced = joined.filter(
    ({ node, stored }) => runs.get(node.trace_id)?.id === stored.run_id,
  );
  const byTrace = Map.groupBy(replaced, ({ node }) => node.trace_id);
  for (const [trace_id, calls] of byTrace) {
    const run = runs.get(trace_id);
    if (run)
      await removeCalls(
        recording,
        run,
        calls.map(({ stored }) => stored),
      );
  }
  return replaced.map(({ node, call }) => ({ node, call }));
}
