import type { Tables } from '../storage/tables.ts';

/** A span within the tree of its trace. */
export type Node = Omit<Tables['otel_spans'], 'tenant_id'>;

/** The parent of a span that is known only from its log records, whose real parent is unknown. */
export const UNKNOWN_PARENT = '';

export const nodeKey = (trace_id: string, span_id: string): string => `${trace_id} ${span_id}`;

export type Nodes = ReadonlyMap<string, Node>;

/**
 * Returns the innermost call around a span; undefined if none is known. The search stops at a tool
 * or an agent, whose work is separate from the call that requested it.
 */
export function enclosingCall(
  nodes: Nodes,
  { trace_id, span_id, parent_span_id }: Node,
): Node | undefined {
  let id = parent_span_id;
  // Spans may be each other's parents, so the number of steps is limited to the number of spans.
  for (let left = nodes.size; left > 0 && id !== null && id !== span_id; left -= 1) {
    const node = nodes.get(nodeKey(trace_id, id));
    if (!node || node.kind === 'boundary') return undefined;
    if (node.kind === 'call') return node;
    id = node.parent_span_id;
  }
  return undefined;
}

/** Returns the calls with a nested call, which two instrumentations reported. */
export function enclosingCalls(nodes: Nodes): Set<Node> {
  const wrapping = new Set<Node>();
  for (const node of nodes.values()) {
    const around = node.kind === 'call' ? enclosingCall(nodes, node) : undefined;
    if (around) wrapping.add(around);
  }
  return wrapping;
}
