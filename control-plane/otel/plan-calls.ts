import { type Node, type Nodes, textSource, wrappers } from './nesting.ts';

/** What becomes of the calls of a trace when spans have come to it. */
export interface CallPlan {
  /** New calls that count, each with the call that lends it its texts. */
  added: { node: Node; source: Node | undefined }[];
  /** New calls in which others are nested. */
  wrapping: Node[];
  /** Calls that counted until one was found that is nested in them. */
  demoted: Node[];
  /** Calls that counted and still do, with texts that another one now lends them. */
  retold: { node: Node; source: Node }[];
}

/** `nodes` are the new spans, all that is above them, and all that is below calls among those. */
export function planCalls(nodes: Nodes, isNew: (node: Node) => boolean): CallPlan {
  const wrapping = wrappers(nodes);
  const before: Nodes = new Map([...nodes].filter(([, node]) => !isNew(node)));
  const plan: CallPlan = { added: [], wrapping: [], demoted: [], retold: [] };
  for (const node of nodes.values()) {
    if (node.kind !== 'call') continue;
    const source = textSource(nodes, node);
    const isWrapper = wrapping.has(node);
    if (isNew(node)) {
      if (isWrapper) plan.wrapping.push(node);
      else plan.added.push({ node, source: source === node ? undefined : source });
    } else if (node.counted) {
      if (isWrapper) plan.demoted.push(node);
      else if (source && source !== textSource(before, node)) plan.retold.push({ node, source });
    }
  }
  return plan;
}
