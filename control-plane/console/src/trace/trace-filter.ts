import type { Action } from '#contract/policy-actions.ts';
import type { TraceItem, TraceNode } from '../runs/trace-tree.ts';
import type { TraceEntry } from './trace-entries.ts';

export interface TraceFilter {
  /** All, if empty. */
  kinds: readonly string[];
  /** Only records of its runs; empty: of all. */
  agent: string;
  errorsOnly: boolean;
}

/** The result of a filter for each entry. */
export const OMITTED = 0;
/** Shown because an entry below it passes. */
export const CONTEXT = 1;
export const PASSES = 2;

/** For each entry one of the above; undefined if the filter lets everything pass. */
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

/** Of these, the agent was not to go on. */
const stopping: readonly Action[] = ['block', 'throttle', 'skip'];

export const isBlocked = ({ action }: TraceItem): boolean =>
  action !== undefined && stopping.includes(action);

/** A failure, or an objection of a policy that stops the agent. */
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

/** Whether a name or the reason of a verdict contains the text, in any case. */
export function contains({ item }: TraceNode, lowerCaseText: string): boolean {
  const { name, reason } = item;
  return (
    name.toLowerCase().includes(lowerCaseText) ||
    (reason?.toLowerCase().includes(lowerCaseText) ?? false)
  );
}

/** The nearest index after (1) or before (-1) a place; past the end it goes on at the other end. */
export function nextAfter(
  sorted: readonly number[],
  place: number,
  step: 1 | -1,
): number | undefined {
  const found = step === 1 ? sorted.find((at) => at > place) : sorted.findLast((at) => at < place);
  return found ?? sorted.at(step === 1 ? 0 : -1);
}
