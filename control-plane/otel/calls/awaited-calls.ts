import type { RunRef } from '../../usage/count.ts';
import { nodeKey, UNKNOWN_PARENT } from '../nesting.ts';
import type { PreparedSpan } from '../prepare-span.ts';
import { deleteNodes, findNodes, insertNodes } from '../queries.ts';
import type { Recording } from '../../recording/queries.ts';
import { reportOf } from './call-reports.ts';
import { findCalls, removeCalls, type StoredCall } from './call-queries.ts';
import { joinCalls } from './join-rules.ts';

/** A span that arrived after its log records, and the call that was created from these. */
export interface ArrivedSpan {
  span: PreparedSpan;
  stored: StoredCall | undefined;
}

/**
 * Finds the spans that were stored only because of their log records, and replaces the stored rows.
 * Each span takes over the texts of its announcement.
 */
export async function findArrivedSpans(
  recording: Recording,
  tenantId: string,
  repeated: readonly PreparedSpan[],
): Promise<ArrivedSpan[]> {
  const reports = repeated.filter(
    ({ node, work }) => node.parent_span_id !== UNKNOWN_PARENT && work?.call,
  );
  const nodes = await findNodes(
    recording,
    tenantId,
    reports.map(({ node }) => node),
  );
  const awaited = [...nodes.values()].filter(
    ({ parent_span_id }) => parent_span_id === UNKNOWN_PARENT,
  );
  if (awaited.length === 0) return [];
  const ids = awaited.flatMap(({ call_id }) => (call_id > 0 ? [call_id] : []));
  const calls = await findCalls(recording, tenantId, ids);
  await deleteNodes(recording, tenantId, awaited);
  const arrived = reports.flatMap((span) => {
    const node = awaited.find(
      ({ trace_id, span_id }) => nodeKey(trace_id, span_id) === keyOf(span),
    );
    return node ? [arrivedSpan(span, calls.get(node.call_id))] : [];
  });
  await insertNodes(
    recording,
    tenantId,
    arrived.map(({ span }) => span.node),
  );
  return arrived;
}

const keyOf = ({ node }: PreparedSpan): string => nodeKey(node.trace_id, node.span_id);

function arrivedSpan(span: PreparedSpan, stored: StoredCall | undefined): ArrivedSpan {
  if (!stored || !span.work?.call) return { span, stored };
  const call = joinCalls(span.work.call, stored);
  const has_text = call.prompt_preview || call.response_preview ? 1 : 0;
  // Scores of the stored call move to the one that replaces it.
  const node = { ...span.node, ...reportOf(span.span, call), has_text, call_id: stored.id };
  return { span: { ...span, node, work: { ...span.work, call } }, stored };
}

/** Removes the calls that were created from log records; the calls of the spans replace them. */
export async function removeAwaitedCalls(
  recording: Recording,
  arrived: readonly ArrivedSpan[],
  runs: ReadonlyMap<string, RunRef>,
): Promise<boolean> {
  let removed = false;
  for (const { span, stored } of arrived) {
    const run = runs.get(span.node.trace_id);
    if (!run || stored?.run_id !== run.id) continue;
    await removeCalls(recording, run, [stored]);
    removed = true;
  }
  return removed;
}
