import type { TraceItem } from '../runs/trace-tree.ts';

export interface AgentNode {
  agent: string;
  /** 0 for agents whose first run was not started by another run in the trace. */
  layer: number;
  /** Position within the layer. */
  place: number;
  runs: number;
  failed: number;
  running: number;
  /** Total duration of the runs that have ended. */
  duration_ms: number;
  cost: number;
}

export interface AgentEdge {
  from: string;
  to: string;
  calls: number;
}

export interface AgentGraph {
  nodes: AgentNode[];
  edges: AgentEdge[];
}

/**
 * Builds the graph of which agents called which: a run started by another run is a call of the
 * agent.
 */
export function graphOf(items: readonly TraceItem[]): AgentGraph {
  const runs = new Map<number, TraceItem>();
  for (const item of items) if (item.kind === 'run') runs.set(item.run_id, item);
  const nodes = new Map<string, AgentNode>();
  const edges = new Map<string, AgentEdge>();
  for (const run of runs.values()) {
    addRun(nodes, run);
    const caller = runs.get(run.parent_run_id ?? 0);
    if (caller && caller !== run) addCall(edges, caller.name, run.name);
  }
  const first = [...runs.values()].filter((run) => !runs.has(run.parent_run_id ?? 0));
  layOut(nodes, [...edges.values()], new Set(first.map(({ name }) => name)));
  return { nodes: [...nodes.values()], edges: [...edges.values()] };
}

function addRun(nodes: Map<string, AgentNode>, run: TraceItem): void {
  const empty = { layer: 0, place: 0, runs: 0, failed: 0, running: 0, duration_ms: 0, cost: 0 };
  const node = nodes.get(run.name) ?? { agent: run.name, ...empty };
  node.runs += 1;
  node.failed += Number(run.status === 'error');
  node.running += Number(run.status === 'running');
  node.duration_ms += run.duration_ms ?? 0;
  node.cost += run.cost ?? 0;
  nodes.set(run.name, node);
}

function addCall(edges: Map<string, AgentEdge>, from: string, to: string): void {
  const key = JSON.stringify([from, to]);
  const edge = edges.get(key) ?? { from, to, calls: 0 };
  edge.calls += 1;
  edges.set(key, edge);
}

/** Places each agent one layer after the first agent that calls it. Agents may call each other. */
function layOut(
  nodes: ReadonlyMap<string, AgentNode>,
  edges: readonly AgentEdge[],
  first: ReadonlySet<string>,
): void {
  const callees = Map.groupBy(edges, ({ from }) => from);
  const placed = new Set<string>();
  // If runs are parents of each other, none of them is first.
  const starts = first.size > 0 ? [...first] : [...nodes.keys()].slice(0, 1);
  let layer = starts;
  for (let depth = 0; placed.size < nodes.size; depth += 1) {
    if (layer.length === 0)
      layer = [...nodes.keys()].filter((name) => !placed.has(name)).slice(0, 1);
    for (const [place, name] of layer.entries()) {
      placed.add(name);
      Object.assign(nodes.get(name) ?? {}, { layer: depth, place });
    }
    const next = layer.flatMap((name) => callees.get(name) ?? []).map(({ to }) => to);
    layer = [...new Set(next)].filter((name) => !placed.has(name));
  }
}
