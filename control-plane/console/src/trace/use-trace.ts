import { useMemo } from 'react';
import { traceRest, traceStart } from '../data/trace-sources.ts';
import type { TracePage } from '../data/trace-sources.ts';
import { useQuery } from '../data/use-query.ts';
import type { QueryResult } from '../data/use-query.ts';
import { graphOf } from './agent-graph.ts';
import type { AgentGraph } from './agent-graph.ts';
import { buildTrace } from '../runs/trace-tree.ts';
import type { TraceItem, TraceTree } from '../runs/trace-tree.ts';
import { keyOf, listEntries } from './trace-entries.ts';
import type { TraceEntry } from './trace-entries.ts';

export interface Trace {
  tree: TraceTree;
  entries: readonly TraceEntry[];
  graph: AgentGraph;
  /** Whether more records are loading. Parents of the present ones may be among them. */
  isPartial: boolean;
  /** Whether there are more records than a tab can hold. */
  isCut: boolean;
  runsLeftOut: boolean;
}

/** Loads a trace: first its beginning, which is shown at once, then the rest. */
export function useTrace(id: string, isRunning: boolean): QueryResult<Trace> {
  const start = useQuery(traceStart(id, isRunning));
  const cursor = start.data?.next_cursor ?? null;
  const rest = useQuery(traceRest(id, isRunning, cursor));
  const data = useMemo(
    () => start.data && traceOf(start.data, rest.data, cursor !== null && rest.stale),
    [start.data, rest.data, rest.stale, cursor],
  );
  const refetch = async () => {
    await Promise.all([start.refetch(), rest.refetch()]);
  };
  return { data, error: start.error ?? rest.error, stale: start.stale, refetch };
}

type Rest = Pick<TracePage, 'items' | 'next_cursor'> | undefined;

function traceOf(start: TracePage, rest: Rest, isPartial: boolean): Trace {
  const items = mergeItems(start.items, rest?.items ?? []);
  const tree = buildTrace(items);
  return {
    tree,
    entries: listEntries(tree.roots),
    graph: graphOf(items),
    isPartial,
    isCut: !isPartial && (rest?.next_cursor ?? null) !== null,
    runsLeftOut: start.runs_left_out,
  };
}

/**
 * Merges both parts. After a change they are refetched one after the other, so a record may be in
 * both.
 */
function mergeItems(start: readonly TraceItem[], rest: readonly TraceItem[]): TraceItem[] {
  const known = new Set(start.map(keyOf));
  return [...start, ...rest.filter((item) => !known.has(keyOf(item)))];
}
