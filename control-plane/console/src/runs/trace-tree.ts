import type { contract } from '#contract/index.ts';
import type { RouteResponse } from '#contract/route.ts';

export type TraceItem = RouteResponse<(typeof contract)['runs']['getRunTrace']>['items'][number];

export interface TraceNode {
  item: TraceItem;
  /** The span as which a failed LLM call was recorded a second time. */
  also: TraceItem | undefined;
  failed: boolean;
  /** Milliseconds since 1970; null if the client did not report it. */
  from: number | null;
  to: number | null;
  /**
   * Whether the record was moved to its run, because its parent is unknown or one of its
   * descendants.
   */
  isOrphan: boolean;
  /** Sorted by start; those without a start follow in the order of recording. */
  children: TraceNode[];
}

export interface TraceTree {
  /** The run, and records of runs that are not part of the trace. */
  roots: TraceNode[];
  size: number;
  orphans: number;
  /** Number of records without a start, which no timeline can show. */
  untimed: number;
  /** The earliest start and the latest end; null if no record has a time. */
  from: number | null;
  to: number | null;
}

/** Builds the tree of a trace. The order of the items matters only for equal times. */
export function buildTrace(items: readonly TraceItem[]): TraceTree {
  const index = indexOf(items);
  const nodes = nodesOf(items, index);
  const parents = new Map<TraceNode, TraceNode>();
  for (const node of nodes) {
    const { parent, isOrphan } = parentOf(node, index);
    if (parent) parents.set(node, parent);
    node.isOrphan = isOrphan;
  }
  breakCycles(nodes, parents, index);
  const roots: TraceNode[] = [];
  for (const node of nodes) (parents.get(node)?.children ?? roots).push(node);
  for (const node of nodes) node.children.sort(byTime);
  return { roots: roots.sort(byTime), ...sumsOf(nodes) };
}

interface Index {
  runs: Map<number, TraceNode>;
  /** Spans by run and span id. */
  spans: Map<string, TraceNode>;
  links: Map<string, TraceItem>;
}

const keyOf = (runId: number, spanId: string): string => `${runId} ${spanId}`;

function indexOf(items: readonly TraceItem[]): Index {
  const index: Index = { runs: new Map(), spans: new Map(), links: new Map() };
  for (const item of items) {
    const key = item.span_id === null ? undefined : keyOf(item.run_id, item.span_id);
    if (item.kind === 'run') {
      if (!index.runs.has(item.run_id)) index.runs.set(item.run_id, nodeOf(item));
    } else if (key === undefined) continue;
    else if (item.kind === 'link') index.links.set(key, item);
    else addSpan(index.spans, key, item);
  }
  return index;
}

/**
 * Adds a span. Of two records of one span the first one counts, except that a failed call takes
 * precedence over its span.
 */
function addSpan(spans: Index['spans'], key: string, item: TraceItem): void {
  const known = spans.get(key);
  if (!known) spans.set(key, nodeOf(item));
  else if (isFailureOf(known.item, item)) spans.set(key, { ...nodeOf(item), also: known.item });
  else if (isFailureOf(item, known.item)) known.also ??= item;
}

const isFailureOf = (span: TraceItem, call: TraceItem): boolean =>
  call.kind === 'llm_call' && span.kind === 'span' && span.status === 'error';

function nodeOf(item: TraceItem): TraceNode {
  const from = item.started_at === null ? null : Date.parse(item.started_at);
  return {
    item,
    also: undefined,
    failed: item.status === 'error',
    from,
    to: from === null ? null : from + (item.duration_ms ?? 0),
    isOrphan: false,
    children: [],
  };
}

/** Creates one node per item, except for links and for items that are part of another node. */
function nodesOf(items: readonly TraceItem[], { runs, spans }: Index): TraceNode[] {
  return items.flatMap((item) => {
    if (item.kind === 'link') return [];
    if (item.kind === 'run') {
      const run = runs.get(item.run_id);
      return run?.item === item ? [run] : [];
    }
    const known = item.span_id === null ? undefined : spans.get(keyOf(item.run_id, item.span_id));
    if (known?.also === item) return [];
    if (known?.item !== item) return [nodeOf(item)];
    known.failed ||= known.also !== undefined;
    return [known];
  });
}

interface Parent {
  parent: TraceNode | undefined;
  isOrphan: boolean;
}

function parentOf({ item }: TraceNode, index: Index): Parent {
  const runId = item.kind === 'run' ? item.parent_run_id : item.run_id;
  const run = index.runs.get(runId ?? 0);
  // This is the displayed run. The record that started it is not part of the trace.
  if (item.kind === 'run' && !run) return { parent: undefined, isOrphan: false };
  if (item.parent_span_id === null) return { parent: run, isOrphan: false };
  const span = spanAbove(index, runId as number, item.parent_span_id);
  return span ? { parent: span.node ?? run, isOrphan: false } : { parent: run, isOrphan: true };
}

/** Finds the next recorded span by following links; `node` is undefined if they end at the run. */
function spanAbove(
  { spans, links }: Index,
  runId: number,
  spanId: string,
): { node: TraceNode | undefined } | undefined {
  const passed = new Set<string>();
  for (let key = keyOf(runId, spanId); !passed.has(key);) {
    const node = spans.get(key);
    if (node) return { node };
    const link = links.get(key);
    if (!link) return undefined;
    if (link.parent_span_id === null) return { node: undefined };
    passed.add(key);
    key = keyOf(runId, link.parent_span_id);
  }
  return undefined;
}

/**
 * Breaks each cycle by moving its first record to the run, or to the root if the run is its
 * descendant.
 */
function breakCycles(
  nodes: readonly TraceNode[],
  parents: Map<TraceNode, TraceNode>,
  { runs }: Index,
): void {
  const order = new Map(nodes.map((node, position) => [node, position]));
  const done = new Set<TraceNode>();
  for (const start of nodes) {
    const path = new Set<TraceNode>();
    let node: TraceNode | undefined = start;
    while (node && !done.has(node) && !path.has(node)) {
      path.add(node);
      node = parents.get(node);
    }
    if (node && path.has(node)) cutCycle(cycleFrom(node, parents));
    for (const passed of path) done.add(passed);
  }

  function cutCycle(cycle: readonly TraceNode[]): void {
    const first = cycle.reduce((a, b) => ((order.get(a) ?? 0) < (order.get(b) ?? 0) ? a : b));
    first.isOrphan = true;
    parents.delete(first);
    const run = first.item.kind === 'run' ? undefined : runs.get(first.item.run_id);
    if (run && !isDescendant(run, first, parents)) parents.set(first, run);
  }
}

function cycleFrom(start: TraceNode, parents: ReadonlyMap<TraceNode, TraceNode>): TraceNode[] {
  const cycle = [start];
  for (let node = parents.get(start); node && node !== start; node = parents.get(node))
    cycle.push(node);
  return cycle;
}

function isDescendant(
  node: TraceNode,
  above: TraceNode,
  parents: ReadonlyMap<TraceNode, TraceNode>,
): boolean {
  const passed = new Set<TraceNode>();
  for (let at: TraceNode | undefined = node; at && !passed.has(at); at = parents.get(at)) {
    if (at === above) return true;
    passed.add(at);
  }
  return false;
}

function byTime(a: TraceNode, b: TraceNode): number {
  if (a.from === null || b.from === null) return Number(a.from === null) - Number(b.from === null);
  return a.from - b.from;
}

function sumsOf(nodes: readonly TraceNode[]): Omit<TraceTree, 'roots'> {
  const sums: Omit<TraceTree, 'roots'> = {
    size: nodes.length,
    orphans: 0,
    untimed: 0,
    from: null,
    to: null,
  };
  for (const { isOrphan, from, to } of nodes) {
    if (isOrphan) sums.orphans += 1;
    if (from === null || to === null) sums.untimed += 1;
    else {
      sums.from = Math.min(sums.from ?? from, from);
      sums.to = Math.max(sums.to ?? to, to);
    }
  }
  return sums;
}
