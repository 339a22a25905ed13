import { isParent } from './trace-entries.ts';
import type { TraceEntry } from './trace-entries.ts';
import { CONTEXT, OMITTED } from './trace-filter.ts';

export interface TraceRow {
  /** Index of the entry. */
  at: number;
  entry: TraceEntry;
  /** Position among the siblings that pass the filter, counted from 1. */
  position: number;
  siblings: number;
  /** Undefined if the row has no children. */
  isOpen: boolean | undefined;
  /** Whether the row is shown only because a descendant passes the filter. */
  isContext: boolean;
}

/** The rows to show: those that pass the filter and have no collapsed ancestor. */
export function visibleRows(
  entries: readonly TraceEntry[],
  shown: Uint8Array | undefined,
  collapsed: ReadonlySet<string>,
): TraceRow[] {
  const rows: TraceRow[] = [];
  // Indexed by parent + 1, so that the roots are at 0.
  const siblings = new Uint32Array(entries.length + 1);
  const counted = new Uint32Array(entries.length + 1);
  const isShown = (at: number) => shown === undefined || shown[at] !== OMITTED;
  for (const [at, { parent }] of entries.entries())
    if (isShown(at)) siblings[parent + 1] = (siblings[parent + 1] ?? 0) + 1;
  for (let at = 0; at < entries.length;) {
    const entry = entries[at] as TraceEntry;
    if (!isShown(at)) {
      at = entry.end;
      continue;
    }
    const place = entry.parent + 1;
    counted[place] = (counted[place] ?? 0) + 1;
    const isOpen = (siblings[at + 1] ?? 0) > 0 ? !collapsed.has(entry.key) : undefined;
    rows.push({
      at,
      entry,
      position: counted[place] ?? 1,
      siblings: siblings[place] ?? 1,
      isOpen,
      isContext: shown?.[at] === CONTEXT,
    });
    at = isOpen === false ? entry.end : at + 1;
  }
  return rows;
}

/** Keys of all entries with children, except the roots. Collapsing them leaves an outline. */
export const keysToCollapse = (entries: readonly TraceEntry[]): Set<string> =>
  new Set(
    entries.flatMap((entry, at) => (entry.depth > 0 && isParent(entry, at) ? entry.key : [])),
  );
