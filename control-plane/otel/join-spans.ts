import { reportOf } from './calls/call-reports.ts';
import { joinCalls } from './calls/join-rules.ts';
import type { PreparedSpan, RunPayload } from './prepare-span.ts';
import { joinFacts } from './trace-facts.ts';

/**
 * Joins two reports of one span. Unless both were read with the rules of a client, the first is
 * returned.
 */
export function joinSpans(a: PreparedSpan, b: PreparedSpan): PreparedSpan {
  if (!a.span.client || !b.span.client) return a;
  const work = joinWork(a, b);
  const span = {
    ...a.span,
    error: a.span.error ?? b.span.error,
    client: { ...b.span.client, ...a.span.client },
  };
  return {
    node: {
      ...a.node,
      ...reportOf(span, work?.call),
      has_text: Math.max(a.node.has_text, b.node.has_text),
      failed: Math.max(a.node.failed, b.node.failed),
    },
    facts: joinFacts(a.facts, b.facts),
    work,
    content: a.content,
    received: a.received,
    span,
  };
}

function joinWork(a: PreparedSpan, b: PreparedSpan): PreparedSpan['work'] {
  if (!a.work || !b.work) return a.work ?? b.work;
  const { call, behavior, scores, payloadOf } = a.work;
  const other = b.work;
  return {
    call: call && other.call ? joinCalls(call, other.call) : (call ?? other.call),
    behavior: behavior ?? other.behavior,
    scores: [...scores, ...other.scores],
    payloadOf: () => joinPayloads(payloadOf(), other.payloadOf(), b.span.client?.role === 'answer'),
  };
}

/**
 * Joins the inputs and results. `isAnswer` means that the second report contains the result of the
 * run.
 */
const joinPayloads = (a: RunPayload, b: RunPayload, isAnswer: boolean): RunPayload => ({
  inputs: a.inputs ?? b.inputs,
  result: (isAnswer ? b.result : null) ?? a.result ?? b.result,
});
