import type { Action } from '#contract/policy-actions.ts';
import type { TraceItem, TraceNode } from '../runs/trace-tree.ts';
import type { TraceEntry } from './trace-entries.ts';

export interface TraceFilter {
  /** The kinds to show; empty for all. */
  kinds: readonly string[];
  /** The agent whose records are shown; empty for all agents. */
  agent: string;
  errorsOnly: boolean;
}

/** The result of a filter for one entry: the entry is hidden. */
export const OMITTED = 0;
/** The entry is shown only because a descendant passes the filter. */
export const CONTEXT = 1;
export const PASSES = 2;

/** Applies the filter: one result per entry, or undefined if every entry passes. */
export function applyFilter(
  entries: readonly TraceEntry[],
  filter: TraceFilter,
): Uint8Array | undefined {
  const { kinds, agent, errorsOnly } = filter;
  if (kinds.length === 0 && agent === '' && !errorsOnly) return undefined;
  const shown = new Uint8Array(entries.length);
  for (const [at, entry] of entries.entries()) {
    if (!passes(entry, filter)) continue;
    shown[at] = PASSES;
    for (let up = entry.parent; up >= 0 && shown[up] === OMITTED; up = entries[up]?.parent ?? -1)
      shown[up] = CONTEXT;
  }
  return shown;
}

const passes = (entry: TraceEntry, { kinds, agent, errorsOnly }: TraceFilter): boolean =>
  (kinds.length === 0 || kinds.includes(entry.node.item.kind)) &&
  (agent === '' || entry.agent === agent) &&
  (!errorsOnly || isProblem(entry.node));

/** The actions that tell an agent to stop. */
const stopping: readonly Action[] = ['block', 'throttle', 'skip'];

export const isBlocked = ({ action }: TraceItem): boolean =>
  action !== undefined && stopping.includes(action);

/** Whether a record failed or was stopped by a policy. */
export const isProblem = ({ failed, item }: TraceNode): boolean => failed || isBlocked(item);

/** Indexes of the entries that pass the filter and meet the condition. */
export function entriesWhere(
  entries: readonly TraceEntry[],
  shown: Uint8Array | undefined,
  condition: (node: TraceNode) => boolean,
): number[] {
  const found: number[] = [];
  for (const [at, { node }] of entries.entries())
    if ((shown === undefined || shown[at] === PASSES) && condition(node)) found.push(at);
  return found;
}

/** Whether a name or the reason of a verdict contains the text, ignoring case. */
export function contains({ item }: TraceNode, lowerCaseText: string): boolean {
  const { name, reason } = item;
  return (
    name.toLowerCase().includes(lowerCaseText) ||
    (reason?.toLowerCase().includes(lowerCaseText) ?? false)
  );
}

/**
 * The nearest index after (1) or before (-1) a position. At the end, it continues at the other end.
 */
export function adjacentIndex(
  sorted: readonly number[],
  place: number,
  step: 1 | -1,
): number | undefined {
  const found = step === 1 ? sorted.find((at) => at > place) : sorted.findLast((at) => at < place);
  return found ?? sorted.at(step === 1 ? 0 : -1);
}
