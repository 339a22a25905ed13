import type { TraceItem, TraceNode } from '../runs/trace-tree.ts';

/**
 * A node of the tree. Entries are in the order in which the tree is displayed from top to bottom.
 */
export interface TraceEntry {
  /** Used in the URL and as the id of the row. Unique within a trace. */
  key: string;
  node: TraceNode;
  /** Agent of the run on which it was recorded. */
  agent: string;
  depth: number;
  /** Index of the parent entry; -1 for a root. */
  parent: number;
  /** Index after its last descendant. */
  end: number;
}

export const keyOf = ({ kind, id }: Pick<TraceItem, 'kind' | 'id'>): string => `${kind}-${id}`;

interface Pending {
  node: TraceNode;
  depth: number;
  parent: number;
}

/** All nodes, depth first. Not recursive, because a trace may be nested tens of thousands deep. */
export function listEntries(roots: readonly TraceNode[]): TraceEntry[] {
  const entries: TraceEntry[] = [];
  const agents = new Map<number, string>();
  const pending: Pending[] = roots.map((node) => ({ node, depth: 0, parent: -1 })).toReversed();
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, depth, parent } = next;
    const at = entries.length;
    const { kind, run_id, name } = node.item;
    if (kind === 'run') agents.set(run_id, name);
    const agent = agents.get(run_id) ?? '';
    entries.push({ key: keyOf(node.item), node, agent, depth, parent, end: at + 1 });
    for (const child of node.children.toReversed())
      pending.push({ node: child, depth: depth + 1, parent: at });
  }
  for (let at = entries.length - 1; at >= 0; at -= 1) {
    const { parent, end } = entries[at] as TraceEntry;
    const above = entries[parent];
    if (above) above.end = Math.max(above.end, end);
  }
  return entries;
}

export const isParent = ({ end }: TraceEntry, at: number): boolean => end > at + 1;

/** Indexes of an entry's ancestors, nearest first. */
export function ancestorsOf(entries: readonly TraceEntry[], at: number): number[] {
  const above: number[] = [];
  for (let up = entries[at]?.parent ?? -1; up >= 0; up = entries[up]?.parent ?? -1) above.push(up);
  return above;
}
