import { type Node, type Nodes, textSource, wrappers } from './nesting.ts';

/** The changes to the calls of a trace when new spans arrive. */
export interface CallPlan {
  /** New calls that count, each with the call that provides its texts. */
  added: { node: Node; source: Node | undefined }[];
  /** New calls with other calls nested in them. */
  wrapping: Node[];
  /** Calls that counted until a nested call arrived. */
  demoted: Node[];
  /** Calls that still count, and get their texts from another call now. */
  updated: { node: Node; source: Node }[];
}

/** `nodes` are the new spans, all their ancestors, and all descendants of calls among those. */
export function planCalls(nodes: Nodes, isNew: (node: Node) => boolean): CallPlan {
  const wrapping = wrappers(nodes);
  const before = new Map<string, Node>();
  for (const [key, node] of nodes) if (!isNew(node)) before.set(key, node);
  const plan: CallPlan = { added: [], wrapping: [], demoted: [], updated: [] };
  for (const node of nodes.values()) {
    if (node.kind !== 'call') continue;
    const source = textSource(nodes, node);
    const isWrapper = wrapping.has(node);
    if (isNew(node))
      if (isWrapper) plan.wrapping.push(node);
      else plan.added.push({ node, source: source === node ? undefined : source });
    else if (node.counted)
      if (isWrapper) plan.demoted.push(node);
      else if (source && source !== textSource(before, node)) plan.updated.push({ node, source });
  }
  return plan;
}
