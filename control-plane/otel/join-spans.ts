import { joinCalls } from './calls/join-rules.ts';
import type { PreparedSpan } from './prepare.ts';
import { joinFacts } from './trace-facts.ts';

/** Two reports of one span as one; without the rules of a client, the first counts. */
export function joinSpans(a: PreparedSpan, b: PreparedSpan): PreparedSpan {
  if (!a.span.client || !b.span.client) return a;
  return {
    node: {
      ...a.node,
      has_text: Math.max(a.node.has_text, b.node.has_text),
      failed: Math.max(a.node.failed, b.node.failed),
    },
    facts: joinFacts(a.facts, b.facts),
    work: joinWork(a, b),
    span: {
      ...a.span,
      error: a.span.error ?? b.span.error,
      client: { ...b.span.client, ...a.span.client },
    },
  };
}

function joinWork(a: PreparedSpan, b: PreparedSpan): PreparedSpan['work'] {
  if (!a.work || !b.work) return a.work ?? b.work;
  const { call, behavior, scores, payload } = a.work;
  const answer = b.span.client?.role === 'answer' ? b.work.payload.result : null;
  return {
    call: call && b.work.call ? joinCalls(call, b.work.call) : (call ?? b.work.call),
    behavior: behavior ?? b.work.behavior,
    scores: [...scores, ...b.work.scores],
    payload: {
      inputs: payload.inputs ?? b.work.payload.inputs,
      result: answer ?? payload.result ?? b.work.payload.result,
    },
  };
}
