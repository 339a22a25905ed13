import type { NewCall, NewSpan, Recording } from '../../recording/queries.ts';
import type { RunRef } from '../../usage/count.ts';
import { enclosingCall, enclosingCalls, type Node, type Nodes } from '../nesting.ts';
import type { PreparedSpan } from '../prepare-span.ts';
import { byNodeKey, findAncestors, findDescendants, findSiblings } from '../queries.ts';
import {
  type Content,
  contentOfCall,
  contentOfSpan,
  withContent,
  wrapperSpan,
} from '../wrapper-span.ts';
import { findReports } from './call-reports.ts';
import { findBehaviors, findCalls, removeCalls, type StoredCall } from './call-queries.ts';
import { joinCalls } from './join-rules.ts';

/** A call to be stored, and its span. */
export interface CallOfNode {
  node: Node;
  call: NewCall;
}

export interface RevisedCalls {
  calls: CallOfNode[];
  /** Calls stored as behavior spans, by trace. */
  spans: { trace_id: string; span: NewSpan }[];
  /** Spans that no longer represent a call. */
  demoted: Node[];
  /** Whether anything was subtracted from the totals. */
  removed: boolean;
}

interface Traces {
  /** The run of each trace that has one. */
  runs: ReadonlyMap<string, RunRef>;
  /** The traces that already had spans. */
  begun: ReadonlySet<string>;
}

/**
 * Determines the calls of the new spans, together with the stored spans around them. Removes stored
 * calls that no longer count or that get new texts.
 */
export async function reviseCalls(
  recording: Recording,
  tenantId: string,
  spans: readonly PreparedSpan[],
  { runs, begun }: Traces,
): Promise<RevisedCalls> {
  const fresh = new Map(spans.map((span) => [span.node, span]));
  const nodes = await nodesAround(
    recording,
    tenantId,
    spans.map(({ node }) => node),
    begun,
  );
  const plan = planCalls(nodes, (node) => fresh.has(node));
  const stored = await findCalls(
    recording,
    tenantId,
    [...plan.demoted, ...plan.updated.map(({ node }) => node)].map(({ call_id }) => call_id),
  );
  const known = new Map([...stored].map(([id, call]) => [id, ofStored(call)]));
  const callOf = (node: Node): NewCall | undefined =>
    fresh.get(node)?.work?.call ?? known.get(node.call_id);
  const contentFrom = (source: Node): Promise<Content | undefined> =>
    contentOf(recording, source, callOf(source), runs.get(source.trace_id));
  const added = await callsOfPlan(plan.added, callOf, contentFrom);
  const updated = await callsOfPlan(plan.updated, callOf, contentFrom);
  const changed = updated.filter(({ node, call }) => call !== callOf(node));
  const old = [...plan.demoted, ...changed.map(({ node }) => node)].flatMap(
    ({ call_id }) => stored.get(call_id) ?? [],
  );
  await remove(recording, old, runs);
  return {
    // By creation time, the order in which calls are listed.
    calls: [...added, ...changed].sort((a, b) => a.call.created_at - b.call.created_at),
    spans: [...plan.wrapping, ...plan.demoted].flatMap((node) => {
      const call = callOf(node);
      // A failed call has a behavior span already.
      return call && !node.failed
        ? [{ trace_id: node.trace_id, span: wrapperSpan(call, node) }]
        : [];
    }),
    demoted: plan.demoted,
    removed: old.length > 0,
  };
}

/**
 * Returns the new spans, their ancestors, other reports of the calls among these, and the
 * descendants of calls.
 */
async function nodesAround(
  recording: Recording,
  tenantId: string,
  fresh: readonly Node[],
  begun: ReadonlySet<string>,
): Promise<Nodes> {
  const hasStoredTrace = ({ trace_id }: Node): boolean => begun.has(trace_id);
  if (!fresh.some(hasStoredTrace)) return byNodeKey(fresh);
  const above = await findAncestors(recording, tenantId, fresh.filter(hasStoredTrace));
  const upper = byNodeKey([...above, ...fresh]);
  const tops = fresh.filter(
    (node) => hasStoredTrace(node) && (node.kind === 'call' || enclosingCall(upper, node)),
  );
  const mayRepeat = (node: Node): boolean => hasStoredTrace(node) && node.call_key !== null;
  const siblings = await findSiblings(recording, tenantId, [...upper.values()].filter(mayRepeat));
  const below = await findDescendants(recording, tenantId, [...tops, ...siblings]);
  return byNodeKey([...below, ...siblings, ...above, ...fresh]);
}

/** Returns the calls of a plan with what other reports of them add. */
async function callsOfPlan(
  planned: readonly PlannedCall[],
  callOf: (node: Node) => NewCall | undefined,
  contentFrom: (source: Node) => Promise<Content | undefined>,
): Promise<CallOfNode[]> {
  const calls: CallOfNode[] = [];
  for (const { node, source, reports } of planned) {
    const call = callOf(node);
    if (!call) continue;
    const content = source && (await contentFrom(source));
    const own = content ? withContent(call, content) : call;
    calls.push({
      node,
      call: reports.reduce((joined, report) => joinReport(joined, callOf(report)), own),
    });
  }
  return calls;
}

/** Joins another report of a call. The time of the call remains that of its own span. */
const joinReport = (call: NewCall, report: NewCall | undefined): NewCall =>
  report ? joinCalls(call, { ...report, duration_ms: null }) : call;

/**
 * Returns the content of a call that provides it to another one: its own, or what is stored with
 * its span.
 */
async function contentOf(
  recording: Recording,
  node: Node,
  call: NewCall | undefined,
  run: RunRef | undefined,
): Promise<Content | undefined> {
  if (call) return contentOfCall(call, node);
  const rows = run ? await findBehaviors(recording, run, node.position) : [];
  return rows
    .map((row) => contentOfSpan(row, node))
    .find(({ span_id }) => span_id === node.span_id);
}

async function remove(
  recording: Recording,
  calls: readonly StoredCall[],
  runs: ReadonlyMap<string, RunRef>,
): Promise<void> {
  for (const run of runs.values()) {
    const ofRun = calls.filter(({ run_id }) => run_id === run.id);
    if (ofRun.length > 0) await removeCalls(recording, run, ofRun);
  }
}

function ofStored(stored: StoredCall): NewCall {
  const { id: _, run_id: __, ...call } = stored;
  return call;
}

/** The changes to the calls of a trace when new spans arrive. */
interface CallPlan {
  /** New calls that count. */
  added: PlannedCall[];
  /** New calls with other calls nested in them, and repeated reports of other calls. */
  wrapping: Node[];
  /** Calls that counted until a nested call or a preferred report arrived. */
  demoted: Node[];
  /** Calls that still count, but to which other calls add something. */
  updated: PlannedCall[];
}

interface PlannedCall {
  node: Node;
  /** The call that newly provides its texts; undefined if that is itself. */
  source: Node | undefined;
  /** The repeated reports of the call. */
  reports: readonly Node[];
}

/**
 * Plans the changes. `nodes` are the new spans, all their ancestors, other reports of the calls
 * among these, and all descendants of calls.
 */
function planCalls(nodes: Nodes, isNew: (node: Node) => boolean): CallPlan {
  const now = relationsOf(nodes);
  const before = relationsOf(new Map([...nodes].filter(([, node]) => !isNew(node))));
  const plan: CallPlan = { added: [], wrapping: [], demoted: [], updated: [] };
  for (const node of nodes.values()) {
    if (node.kind !== 'call') continue;
    const isCounted = now.counts(node);
    const reports = now.reportsOf(node);
    if (isNew(node))
      if (isCounted)
        plan.added.push({ node, source: otherThan(node, now.textSource(node)), reports });
      else plan.wrapping.push(node);
    else if (node.counted)
      if (isCounted) {
        const source = now.textSource(node);
        const isOther = source !== before.textSource(node);
        if (isOther || reports.some((report) => isNew(report) || report.counted))
          plan.updated.push({ node, source: isOther ? source : undefined, reports });
      } else plan.demoted.push(node);
  }
  return plan;
}

const otherThan = (node: Node, source: Node | undefined): Node | undefined =>
  source === node ? undefined : source;

/** How the calls among these spans relate to each other. */
function relationsOf(nodes: Nodes) {
  const wrapping = enclosingCalls(nodes);
  const { isRepeated, reportsOf } = findReports(nodes, wrapping);
  return {
    reportsOf,
    counts: (node: Node): boolean => !wrapping.has(node) && !isRepeated(node),
    textSource: (node: Node): Node | undefined => textSource(nodes, node, reportsOf),
  };
}

/**
 * Returns the source of a call's texts: the call itself, another report of it, or the innermost
 * call around it with texts. If two instrumentations report one call, often only one has its texts.
 */
function textSource(
  nodes: Nodes,
  node: Node,
  reportsOf: (node: Node) => readonly Node[],
): Node | undefined {
  const seen = new Set<Node>();
  let at: Node | undefined = node;
  // Spans may be each other's parents.
  while (at && !seen.has(at)) {
    seen.add(at);
    const source = at.has_text ? at : reportsOf(at).find(({ has_text }) => has_text);
    if (source) return source;
    at = enclosingCall(nodes, at);
  }
  return undefined;
}
