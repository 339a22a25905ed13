import { hash } from 'node:crypto';
import type { NewCall } from '../../recording/queries.ts';
import { type Node, type Nodes, UNKNOWN_PARENT } from '../nesting.ts';
import type { OtelSpan } from '../span.ts';

type Report = Pick<Node, 'call_key' | 'scope' | 'response_id' | 'ended_at'>;

/** The report of a span that is no call. */
export const NO_REPORT: Report = { call_key: null, scope: null, response_id: null, ended_at: null };

/**
 * Returns what shows whether another span reports the same call. Calls without a parent span have
 * none, because any calls of a trace may be without one.
 */
export function reportOf(
  span: Pick<OtelSpan, 'parent_span_id' | 'error' | 'scope' | 'ended_at'>,
  call: NewCall | undefined,
): Report {
  const { parent_span_id, error, scope, ended_at } = span;
  if (!call || parent_span_id === null || parent_span_id === UNKNOWN_PARENT) return NO_REPORT;
  const { model, tokens_in, tokens_out, response_id = null } = call;
  const facts = error === null ? [model, tokens_in, tokens_out] : [model, error];
  const call_key = hash('sha256', JSON.stringify(facts), 'base64url').slice(0, 22);
  return { call_key, scope: scope.name, response_id, ended_at };
}

/** The calls of a trace that several instrumentations reported as siblings. */
export interface CallReports {
  /** Whether another report of the same call counts instead of this one. */
  isRepeated: (node: Node) => boolean;
  /** Returns the repeated reports of a call, the nearest in time first. */
  reportsOf: (node: Node) => readonly Node[];
}

/**
 * Finds the calls that were reported more than once: by different instrumentations, with the same
 * parent, model and tokens (or error), and in intervals of which one contains the other. `wrapping`
 * are the calls that do not count because of calls nested in them.
 *
 * Which report counts depends on its instrumentation and not on the single call. So of two calls
 * that each have two reports, both count, although every report may be in the interval of each
 * other. A report that is repeated stays so, whichever spans arrive later.
 */
export function findReports(nodes: Nodes, wrapping: ReadonlySet<Node>): CallReports {
  const compare = (a: Node, b: Node): number =>
    Number(wrapping.has(b)) - Number(wrapping.has(a)) || byPreference(a, b);
  const repeated = new Set<Node>();
  const below = new Map<Node, Node[]>();
  for (const group of groupsOf(nodes))
    for (const [outer, inner] of nestedPairs(group)) {
      if (!mayBeSameCall(outer, inner)) continue;
      const [counted, other] = compare(outer, inner) < 0 ? [outer, inner] : [inner, outer];
      const reports = below.get(counted);
      if (reports) reports.push(other);
      else below.set(counted, [other]);
      repeated.add(other);
    }
  return {
    isRepeated: (node) => repeated.has(node),
    reportsOf: (node) => (below.has(node) ? reachable(below, node) : []),
  };
}

/** Returns the groups of siblings with the same facts, from more than one instrumentation. */
function groupsOf(nodes: Nodes): Node[][] {
  const groups = new Map<string, Node[]>();
  for (const node of nodes.values()) {
    if (node.call_key === null) continue;
    const key = `${node.trace_id} ${node.parent_span_id} ${node.call_key}`;
    const group = groups.get(key);
    if (group) group.push(node);
    else groups.set(key, [node]);
  }
  return [...groups.values()].filter(([first, ...others]) =>
    others.some(({ scope }) => scope !== first?.scope),
  );
}

/** Sorts a report with the provider's id of the response first, then by the instrumentation. */
function byPreference(a: Node, b: Node): number {
  const unidentified = Number(a.response_id === null) - Number(b.response_id === null);
  return unidentified || order(a.scope ?? '', b.scope ?? '') || byPlace(a, b);
}

const byPlace = (a: Node, b: Node): number =>
  a.position - b.position || order(a.span_id, b.span_id);

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const mayBeSameCall = (a: Node, b: Node): boolean =>
  a.scope !== b.scope &&
  (a.response_id === null || b.response_id === null || a.response_id === b.response_id);

/**
 * Yields the pairs of which one interval contains the other, the containing one first. Times are as
 * exact as they are stored. For calls that follow each other it takes linear time.
 */
function* nestedPairs(nodes: readonly Node[]): Generator<[outer: Node, inner: Node]> {
  const byStart = nodes.toSorted((a, b) => a.position - b.position || endOf(b) - endOf(a));
  const leastEnds = byStart.map(endOf);
  for (let at = leastEnds.length - 2; at >= 0; at -= 1)
    leastEnds[at] = Math.min(leastEnds[at] as number, leastEnds[at + 1] as number);
  let earlier: Node[] = [];
  for (const [at, inner] of byStart.entries()) {
    const leastEnd = leastEnds[at] as number;
    earlier = earlier.filter((node) => endOf(node) >= leastEnd);
    for (const outer of earlier) if (endOf(outer) >= endOf(inner)) yield [outer, inner];
    earlier.push(inner);
  }
}

const endOf = ({ ended_at }: Node): number => ended_at ?? 0;

/** Returns the reports of a call, and the reports that are the same call as one of these. */
function reachable(below: ReadonlyMap<Node, readonly Node[]>, node: Node): Node[] {
  const found = new Set<Node>(below.get(node));
  // A set yields the values that are added while it is iterated, too.
  for (const report of found) for (const other of below.get(report) ?? []) found.add(other);
  return [...found].sort((a, b) => distance(a, node) - distance(b, node) || byPreference(a, b));
}

const US_PER_MS = 1000;

const distance = (a: Node, b: Node): number =>
  Math.abs(a.position - b.position) / US_PER_MS + Math.abs(endOf(a) - endOf(b));
