import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testSpan } from '#test/otel/test-span.ts';
import { runOfTrace } from './run-of-trace.ts';
import type { OtelSpan } from './span.ts';
import { factsOf, joinFacts } from './trace-facts.ts';

const factsFrom = (...spans: Partial<OtelSpan>[]) =>
  spans.map((span) => factsOf(testSpan(span))).reduce(joinFacts);

const anySpan = fc
  .record({
    span_id: fc.nat({ max: 9 }).map((id) => `000000000000000${id}`),
    parent_span_id: fc.constantFrom(null, '000000000000000f'),
    has_remote_parent: fc.boolean(),
    started_at: fc.nat({ max: 20 }),
    took: fc.nat({ max: 20 }),
    error: fc.constantFrom(null, 'boom'),
    attributes: fc.dictionary(
      fc.constantFrom(
        'session.id',
        'user.id',
        'gen_ai.agent.name',
        'traceloop.workflow.name',
        'tag.tags',
      ),
      fc.constantFrom('a', 'b'),
    ),
  })
  .map(({ took, ...span }) =>
    testSpan({ ...span, ended_at: span.started_at + took, position: span.started_at * 1000 }),
  );
const spansOfTrace = fc.uniqueArray(anySpan, {
  selector: ({ span_id }) => span_id,
  minLength: 1,
  maxLength: 8,
});

test('facts do not depend on order, grouping or repetition', () => {
  fc.assert(
    fc.property(spansOfTrace, fc.infiniteStream(fc.nat()), (spans, chance) => {
      const facts = spans.map(factsOf);
      const inOrder = facts.reduce(joinFacts);
      const shuffled = [...facts, ...facts]
        .map((one) => ({ one, at: chance.next().value as number }))
        .sort((a, b) => a.at - b.at)
        .map(({ one }) => one);
      const middle = Math.floor(shuffled.length / 2);
      const inPieces = joinFacts(
        shuffled.slice(0, middle).reduce(joinFacts, facts[0] as (typeof facts)[0]),
        shuffled.slice(middle).reduce(joinFacts),
      );
      expect(inPieces).toEqual(inOrder);
    }),
  );
});

test.each([
  [
    'its root',
    factsFrom({ ended_at: 5000, error: 'boom' }),
    { status: 'error', completed_at: 5000, error: 'boom' },
  ],
  [
    'the span that another service called',
    factsFrom({ parent_span_id: 'f', has_remote_parent: true, ended_at: 5000 }),
    { status: 'success', completed_at: 5000 },
  ],
  [
    'its root rather than that',
    factsFrom(
      { span_id: '1', parent_span_id: 'f', has_remote_parent: true, ended_at: 5000, started_at: 0 },
      { span_id: '2', ended_at: 7000, started_at: 500 },
    ),
    { status: 'success', completed_at: 7000, started_at: 0 },
  ],
  [
    'nothing as long as its root has not come',
    factsFrom({ parent_span_id: 'f', error: 'boom' }),
    { status: 'running', completed_at: null, error: null },
  ],
])('a run ends with %s', (_name, facts, expected) => {
  expect(runOfTrace(facts, false)).toMatchObject(expected);
});

test('a run whose root span never arrives ends with its last span', () => {
  const facts = factsFrom(
    { span_id: '1', parent_span_id: 'f', started_at: 1000, ended_at: 2000 },
    { span_id: '2', parent_span_id: '1', started_at: 1500, ended_at: 4000 },
  );
  expect(runOfTrace(facts, true)).toMatchObject({ status: 'success', completed_at: 4000 });
});

test('the agent of a run is the outermost one', () => {
  const facts = factsFrom(
    { span_id: '1', position: 5, attributes: { 'gen_ai.agent.name': 'inner' } },
    { span_id: '2', position: 2, attributes: { 'gen_ai.agent.name': 'outer' } },
    { span_id: '3', position: 1, attributes: { 'gen_ai.workflow.name': 'flow' } },
  );
  expect(runOfTrace(facts, false)).toMatchObject({ agent_name: 'outer', workflow_name: 'flow' });
});

test.each([
  [{ 'tag.tags': ['b', 'a', 'b', ''] }, ['a', 'b']],
  [{ 'langfuse.trace.tags': '["a"]', metadata: '{"tags":["b"]}' }, ['a', 'b']],
  [{ 'ai.telemetry.metadata.tags': 'a' }, ['a']],
  [{ 'tag.tags': [1, null, 'x'.repeat(300)] }, ['x'.repeat(200)]],
  [{}, []],
])('%j has the tags %j', (attributes, tags) => {
  expect(JSON.parse(runOfTrace(factsFrom({ attributes }), true).tags)).toEqual(tags);
});

test('a run has the tags of all its spans', () => {
  const spans = ['b', 'a'].map((tag, i) => ({
    span_id: `000000000000000${i}`,
    attributes: { 'tag.tags': [tag] },
  }));
  expect(runOfTrace(factsFrom(...spans), true).tags).toBe('["a","b"]');
});

test('metadata supplies session, user and agent if no attribute does', () => {
  const metadata = '{"thread_id":"t-1","user_id":7,"lc_agent_name":"helper"}';
  const resource = { 'service.name': 'service' };
  expect(runOfTrace(factsFrom({ attributes: { metadata }, resource }), true)).toMatchObject({
    session_id: 't-1',
    user_id: '7',
    agent_name: 'helper',
  });
  const attributes = { metadata, 'session.id': 's-1', 'user.id': 'u-1' };
  expect(runOfTrace(factsFrom({ attributes }), true)).toMatchObject({
    session_id: 's-1',
    user_id: 'u-1',
  });
});

test.each([
  ['openinference.span.kind', 'AGENT'],
  ['langfuse.observation.type', 'agent'],
])('an agent is named after its span (%s)', (kind, value) => {
  const resource = { 'service.name': 'service' };
  const span = { name: 'helper', attributes: { [kind]: value }, resource };
  expect(runOfTrace(factsFrom(span), true).agent_name).toBe('helper');
});
