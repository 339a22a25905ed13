import { useMemo, useState } from 'react';
import { traceSearch } from '../data/trace-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { ancestorsOf, keyOf } from './trace-entries.ts';
import type { TraceEntry } from './trace-entries.ts';
import { applyFilter, contains, entriesWhere, isProblem, adjacentIndex } from './trace-filter.ts';
import { useTraceAddress } from './use-address.ts';
import { keysToCollapse, visibleRows } from './visible-rows.ts';
import type { TraceRow } from './visible-rows.ts';

/** The row with the keyboard focus. A new object makes the grid scroll to it again. */
export interface Target {
  key: string;
}

interface Searched {
  /** Keys of the records whose texts contain the search text. */
  found: ReadonlySet<string>;
  /** Whether the texts are still being searched. */
  isSearching: boolean;
}

/** The visible part of a trace and the actions that change it. */
export function useTraceView(entries: readonly TraceEntry[], runId: string) {
  const address = useTraceAddress();
  const { selected, text, agent, errorsOnly } = address;
  const kinds = address.kinds.join(' ');
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const [target, setTarget] = useState<Target>({ key: selected });
  const [shownSelection, setShownSelection] = useState(selected);
  const shown = useMemo(
    () => applyFilter(entries, { kinds: kinds.split(' ').filter(Boolean), agent, errorsOnly }),
    [entries, kinds, agent, errorsOnly],
  );
  const rows = useMemo(() => visibleRows(entries, shown, collapsed), [entries, shown, collapsed]);
  const places = useMemo(() => new Map(entries.map(({ key }, at) => [key, at])), [entries]);
  const { found, isSearching } = useTextSearch(runId, text);
  const matches = useMemo(
    () => matchesOf(entries, shown, text, found),
    [entries, shown, text, found],
  );
  const problems = useMemo(() => entriesWhere(entries, shown, isProblem), [entries, shown]);

  const show = (at: number) => {
    const above = ancestorsOf(entries, at).map((up) => entries[up]?.key ?? '');
    if (above.some((key) => collapsed.has(key))) setCollapsed(collapsed.difference(new Set(above)));
    setTarget({ key: entries[at]?.key ?? '' });
  };
  // Back and Forward may select a record other than the one with the keyboard focus.
  if (selected !== shownSelection) {
    setShownSelection(selected);
    const at = places.get(selected);
    if (at !== undefined && selected !== target.key) show(at);
  }
  const select = (key: string, change: 'push' | 'replace') => {
    if (key !== selected) address[change]({ span: key });
  };
  const goTo = (at: number | undefined) => {
    if (at === undefined) return;
    show(at);
    if (selected !== '') select(entries[at]?.key ?? '', 'replace');
  };
  const active = places.get(target.key) ?? -1;
  return {
    address,
    rows,
    target,
    matches,
    found,
    isSearching,
    problems,
    active,
    selected: entries[places.get(selected) ?? -1],
    goTo,
    goToRow: (row: TraceRow | undefined) => goTo(row?.at),
    goToMatch: (step: 1 | -1) => goTo(adjacentIndex(matches, active, step)),
    goToProblem: (step: 1 | -1) => goTo(adjacentIndex(problems, active, step)),
    search(next: string) {
      address.replace({ q: next });
      goTo(adjacentIndex(matchesOf(entries, shown, next, nothing), active - 1, 1));
    },
    open(row: TraceRow) {
      setTarget({ key: row.entry.key });
      select(row.entry.key, 'push');
    },
    close: () => select('', 'push'),
    toggle: ({ entry: { key } }: TraceRow) =>
      setCollapsed(collapsed.symmetricDifference(new Set([key]))),
    collapseAll: () => setCollapsed(keysToCollapse(entries)),
    expandAll: () => setCollapsed(new Set()),
    isCollapsed: collapsed.size > 0,
  };
}

export type TraceView = ReturnType<typeof useTraceView>;

const nothing: ReadonlySet<string> = new Set();

/** Searches the texts of all records on the service, because the trace does not contain them. */
function useTextSearch(runId: string, text: string): Searched {
  const { data, stale } = useQuery(traceSearch(runId, text.trim()));
  const found = useMemo(
    () => (stale || !data ? nothing : new Set(data.found.map((one) => keyOf(one)))),
    [data, stale],
  );
  return { found, isSearching: stale };
}

function matchesOf(
  entries: readonly TraceEntry[],
  shown: Uint8Array | undefined,
  text: string,
  found: ReadonlySet<string>,
): number[] {
  if (text === '') return [];
  const lower = text.toLowerCase();
  return entriesWhere(
    entries,
    shown,
    (node) => contains(node, lower) || found.has(keyOf(node.item)),
  );
}
