import type { NewCall, NewSpan, Recording } from '../../recording/queries.ts';
import type { RunRef } from '../../usage/count.ts';
import { enclosingCall, type Node, type Nodes, textSource, enclosingCalls } from '../nesting.ts';
import type { PreparedSpan } from '../prepare-span.ts';
import { findAncestors, findDescendants, byNodeKey } from '../queries.ts';
import {
  type Content,
  contentOfCall,
  contentOfSpan,
  withContent,
  wrapperSpan,
} from '../wrapper-span.ts';
import { findBehaviors, findCalls, removeCalls, type StoredCall } from './call-queries.ts';

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
  const callOf = (node: Node): NewCall | undefined =>
    fresh.get(node)?.work?.call ?? ofStored(stored.get(node.call_id));
  const contentFrom = (source: Node): Promise<Content | undefined> =>
    contentOf(recording, source, callOf(source), runs.get(source.trace_id));
  await remove(recording, [...stored.values()], runs);
  return {
    calls: await callsOfPlan(plan, callOf, contentFrom),
    spans: [...plan.wrapping, ...plan.demoted].flatMap((node) => {
      const call = callOf(node);
      // A failed call has a behavior span already.
      return call && !node.failed
        ? [{ trace_id: node.trace_id, span: wrapperSpan(call, node) }]
        : [];
    }),
    demoted: plan.demoted,
    removed: stored.size > 0,
  };
}

/** Returns the new spans, their ancestors, and the descendants of calls among all these. */
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
  const below = await findDescendants(recording, tenantId, tops);
  return byNodeKey([...below, ...above, ...fresh]);
}

/** Returns the calls of a plan by creation time, the order in which calls are listed. */
async function callsOfPlan(
  { added, updated }: CallPlan,
  callOf: (node: Node) => NewCall | undefined,
  contentFrom: (source: Node) => Promise<Content | undefined>,
): Promise<CallOfNode[]> {
  const calls: CallOfNode[] = [];
  for (const { node, source } of [...added, ...updated]) {
    const call = callOf(node);
    if (!call) continue;
    const content = source && (await contentFrom(source));
    calls.push({ node, call: content ? withContent(call, content) : call });
  }
  return calls.sort((a, b) => a.call.created_at - b.call.created_at);
}

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

function ofStored(call: StoredCall | undefined): NewCall | undefined {
  if (!call) return undefined;
  const { id: _, run_id: __, ...rest } = call;
  return rest;
}

/** The changes to the calls of a trace when new spans arrive. */
interface CallPlan {
  /** New calls that count, each with the call that provides its texts. */
  added: { node: Node; source: Node | undefined }[];
  /** New calls with other calls nested in them. */
  wrapping: Node[];
  /** Calls that counted until a nested call arrived. */
  demoted: Node[];
  /** Calls that still count, but now get their texts from another call. */
  updated: { node: Node; source: Node }[];
}

/**
 * Plans the changes. `nodes` are the new spans, all their ancestors, and all descendants of calls
 * among those.
 */
function planCalls(nodes: Nodes, isNew: (node: Node) => boolean): CallPlan {
  const wrapping = enclosingCalls(nodes);
  const before = new Map<string, Node>();
  for (const [key, node] of nodes) if (!isNew(node)) before.set(key, node);
  const plan: CallPlan = { added: [], wrapping: [], demoted: [], updated: [] };
  for (const node of nodes.values()) {
    if (node.kind !== 'call') continue;
    const source = textSource(nodes, node);
    const isWrapper = wrapping.has(node);
    if (isNew(node))
      if (isWrapper) plan.wrapping.push(node);
      else plan.added.push({ node, source: source === node ? undefined : source });
    else if (node.counted)
      if (isWrapper) plan.demoted.push(node);
      else if (source && source !== textSource(before, node)) plan.updated.push({ node, source });
  }
  return plan;
}
