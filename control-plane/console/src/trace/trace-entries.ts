import type { TraceItem, TraceNode } from '../runs/trace-tree.ts';

/** A node of the tree, in the order in which the tree is read from top to bottom. */
export interface TraceEntry {
  /** In the URL, and as the id of the row: unique within a trace. */
  key: string;
  node: TraceNode;
  /** Of the run that it was recorded on. */
  agent: string;
  depth: number;
  /** Index of the entry above it; -1 for a root. */
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

/** All nodes, depth first. Without recursion: a trace may be nested tens of thousands deep. */
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

/** Indexes of the entries above one, the nearest first. */
export function ancestorsOf(entries: readonly TraceEntry[], at: number): number[] {
  const above: number[] = [];
  for (let up = entries[at]?.parent ?? -1; up >= 0; up = entries[up]?.parent ?? -1) above.push(up);
  return above;
}
