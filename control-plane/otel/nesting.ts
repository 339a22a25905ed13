import type { Tables } from '../storage/tables.ts';

/** A span as it stands among the others of its trace. */
export type Node = Omit<Tables['otel_spans'], 'tenant_id'>;

export const nodeKey = (trace_id: string, span_id: string): string => `${trace_id} ${span_id}`;

export type Nodes = ReadonlyMap<string, Node>;

/**
 * The innermost call around a span that satisfies `is`; undefined when none is known. It ends at a
 * tool or an agent: what that does is not the call that asked for it.
 */
export function callAround(
  nodes: Nodes,
  { trace_id, span_id, parent_span_id }: Node,
  is: (node: Node) => boolean = () => true,
): Node | undefined {
  const seen = new Set([span_id]);
  for (let id = parent_span_id; id !== null && !seen.has(id);) {
    const node = nodes.get(nodeKey(trace_id, id));
    if (!node || node.kind === 'boundary') return undefined;
    if (node.kind === 'call' && is(node)) return node;
    seen.add(id);
    id = node.parent_span_id;
  }
  return undefined;
}

/** Calls in which another call is nested: two instrumentations told of the same one. */
export function wrappers(nodes: Nodes): Set<Node> {
  const found = new Set<Node>();
  for (const node of nodes.values()) {
    const around = node.kind === 'call' ? callAround(nodes, node) : undefined;
    if (around) found.add(around);
  }
  return found;
}

/**
 * Where a call without texts of its own has them from: the innermost call around it that has. When
 * two instrumentations tell of one call, often only the outer one tells what was said.
 */
export const textSource = (nodes: Nodes, node: Node): Node | undefined =>
  node.has_text ? node : callAround(nodes, node, (around) => around.has_text === 1);
