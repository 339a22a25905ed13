import { NO_REPORT } from './calls/call-reports.ts';
import type { RunRef } from '../usage/count.ts';
import { type Node, nodeKey } from './nesting.ts';
import type { PreparedSpan } from './prepare-span.ts';
import { findNodes, insertNodes } from './queries.ts';
import { hexIdOf } from './span.ts';
import { fillToolSpan } from './tool-call-queries.ts';
import type { Recording } from '../recording/queries.ts';

/**
 * A report of a tool call that another report has recorded, and the position of that other report.
 */
export interface RepeatedTool {
  span: PreparedSpan;
  position: number;
}

/**
 * Turns a log record and a span of one tool call into one behavior span. The first one that arrives
 * claims the call with a marker among the spans of its trace. Returns the new spans without the
 * behavior spans that others have recorded, and the repeated reports.
 */
export async function claimToolCalls(
  recording: Recording,
  tenantId: string,
  spans: readonly PreparedSpan[],
): Promise<{ spans: PreparedSpan[]; repeated: RepeatedTool[] }> {
  const marks = new Map<string, Node>();
  const first = new Map<string, PreparedSpan>();
  for (const span of spans) {
    const mark = markOf(span);
    if (!mark) continue;
    const key = nodeKey(mark.trace_id, mark.span_id);
    if (!marks.has(key)) first.set(key, span);
    marks.set(key, marks.get(key) ?? mark);
  }
  if (marks.size === 0) return { spans: [...spans], repeated: [] };
  const added = await insertNodes(recording, tenantId, [...marks.values()]);
  const lost = new Set([...marks.keys()].filter((_, index) => !added[index]));
  const claimed = await findNodes(recording, tenantId, [...marks.values()]);
  const repeated: RepeatedTool[] = [];
  const kept = spans.map((span) => {
    const mark = markOf(span);
    const key = mark ? nodeKey(mark.trace_id, mark.span_id) : '';
    if (!mark || (!lost.has(key) && first.get(key) === span)) return span;
    repeated.push({ span, position: claimed.get(key)?.position ?? mark.position });
    return span.work ? { ...span, work: { ...span.work, behavior: undefined } } : span;
  });
  return { spans: kept, repeated };
}

function markOf({ node, span, work }: PreparedSpan): Node | undefined {
  const tool_call = span.client?.tool_call;
  if (tool_call === undefined || !work?.behavior) return undefined;
  const { trace_id, position } = node;
  const none = {
    ...NO_REPORT,
    parent_span_id: null,
    has_text: 0,
    failed: 0,
    counted: 0,
    call_id: 0,
  };
  return {
    ...none,
    trace_id,
    // The hash keeps the id apart from the call ids, which clients choose.
    span_id: hexIdOf(['tool', trace_id, tool_call], 16),
    kind: 'plain',
    position,
  };
}

/** Adds the details of later reports to recorded tool calls. */
export async function fillToolCalls(
  recording: Recording,
  repeated: readonly RepeatedTool[],
  runs: ReadonlyMap<string, RunRef>,
): Promise<void> {
  for (const { span, position } of repeated) {
    const run = runs.get(span.node.trace_id);
    const report = span.work?.behavior;
    if (run && report) await fillToolSpan(recording, run, position, report);
  }
}
