import { joinCalls } from './calls/join-rules.ts';
import type { PreparedSpan, RunPayload } from './prepare.ts';
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
  const { call, behavior, scores, payloadOf } = a.work;
  const other = b.work;
  return {
    call: call && other.call ? joinCalls(call, other.call) : (call ?? other.call),
    behavior: behavior ?? other.behavior,
    scores: [...scores, ...other.scores],
    payloadOf: () => joinPayloads(payloadOf(), other.payloadOf(), b.span.client?.role === 'answer'),
  };
}

/** `isAnswer`: the second is what the result of the run is taken from. */
const joinPayloads = (a: RunPayload, b: RunPayload, isAnswer: boolean): RunPayload => ({
  inputs: a.inputs ?? b.inputs,
  result: (isAnswer ? b.result : null) ?? a.result ?? b.result,
});
