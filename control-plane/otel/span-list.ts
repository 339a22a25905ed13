import type { Node } from './nesting.ts';

type Entry = readonly [
  span_id: string,
  parent_span_id: string | null,
  kind: Node['kind'],
  has_text: number,
  failed: number,
  counted: number,
  call_id: number,
  position: number,
  ...report: ReportEntry | [],
];

/** What only calls with a parent span have. */
type ReportEntry = readonly [
  call_key: string,
  scope: string | null,
  response_id: string | null,
  ended_at: number | null,
];

/**
 * Encodes the spans of a trace as one text in the row of the trace, which is much smaller than one
 * row per span with its index entries. Returns null if they must be rows: spans without AI work are
 * looked up for the tree of the run, and deleted one by one.
 */
export function spanListOf(nodes: readonly Node[]): string | null {
  if (nodes.length === 0 || nodes.some(({ kind }) => kind === 'plain')) return null;
  return JSON.stringify(nodes.map(entryOf));
}

const entryOf = (node: Node): Entry => [
  node.span_id,
  node.parent_span_id,
  node.kind,
  node.has_text,
  node.failed,
  node.counted,
  node.call_id,
  node.position,
  ...reportEntryOf(node),
];

const reportEntryOf = ({ call_key, scope, response_id, ended_at }: Node): ReportEntry | [] =>
  call_key === null ? [] : [call_key, scope, response_id, ended_at];

/** Decodes the spans of such a list. */
export const nodesIn = (trace_id: string, list: string): Node[] =>
  (JSON.parse(list) as Entry[]).map(
    ([span_id, parent_span_id, kind, has_text, failed, counted, call_id, position, ...report]) => ({
      trace_id,
      span_id,
      parent_span_id,
      kind,
      has_text,
      failed,
      counted,
      call_id,
      position,
      call_key: report[0] ?? null,
      scope: report[1] ?? null,
      response_id: report[2] ?? null,
      ended_at: report[3] ?? null,
    }),
  );
