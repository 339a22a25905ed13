import { expect, test } from 'vitest';
import type { Attributes } from '../attributes.ts';
import type { OtelSpan } from '../span.ts';
import { cline } from './cline.ts';
import { CLINE_SPANS } from './cline-spans.ts';

const spanOf = (attributes: Attributes, name = CLINE_SPANS): OtelSpan => ({
  trace_id: '1'.repeat(32),
  span_id: '2'.repeat(16),
  parent_span_id: null,
  has_remote_parent: false,
  name: 'span',
  started_at: 1000,
  ended_at: 2000,
  position: 1_000_000,
  error: null,
  attributes,
  events: [],
  resource: {},
  scope: { name, version: '' },
});
const read = (attributes: Attributes) =>
  cline.readSpan?.(
    spanOf({
      'langfuse.observation.metadata.runId': 'run_1',
      'langfuse.observation.metadata.iteration': '1',
      'session.id': 's',
      ...attributes,
    }),
  );
const call = { 'gen_ai.operation.name': 'chat' };

test('the calls of a prompt have one trace, without its root', () => {
  const [first, second] = [read(call), read({ ...call, 'gen_ai.request.model': 'm' })];
  expect(first).toMatchObject({ trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) as string });
  expect(first).toMatchObject({
    parent_span_id: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
  });
  const { trace_id } = first as OtelSpan;
  expect(second).toMatchObject({ trace_id });
  expect(read({ ...call, 'langfuse.observation.metadata.runId': 'run_2' })).not.toMatchObject({
    trace_id,
  });
});

test.each([
  [['tool-calls'], { decides: true }],
  [['stop'], { decides: true, role: 'answer' }],
])('a call that finished with %j is %j', (reasons, client) => {
  const span = read({ ...call, 'gen_ai.response.finish_reasons': reasons }) as OtelSpan;
  expect(span.client).toEqual(client);
});

const conversation = JSON.stringify([
  { role: 'user', parts: [{ type: 'text', content: 'Before' }] },
  { role: 'assistant', parts: [{ type: 'text', content: 'Yes' }] },
  { role: 'user', parts: [{ type: 'text', content: 'Is it warm?' }] },
]);
const agent = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.input.messages': conversation };

test('the agent of the first request has the prompt', () => {
  const span = read(agent) as OtelSpan;
  expect(span.client).toEqual({ role: 'prompt', is_payload: true });
  expect(span.attributes).toEqual({
    'session.id': 's',
    'gen_ai.agent.name': 'cline',
    'gen_ai.operation.name': 'event',
    'input.value': 'Is it warm?',
  });
});

test.each<Attributes>([
  { ...agent, 'langfuse.observation.metadata.iteration': '2' },
  { 'gen_ai.operation.name': 'agent_step' },
])('nothing is read from %j', (attributes) => {
  expect(read(attributes)).toBe('ignored');
});

test.each([
  ['usr-1', 'usr-1'],
  ['5f'.repeat(32), undefined],
])('the user %s is recorded as %s', (user, recorded) => {
  const span = read({ ...call, 'user.id': user, 'gen_ai.agent.name': 'a-part' }) as OtelSpan;
  expect(span.attributes['user.id']).toBe(recorded);
  expect(span.attributes['gen_ai.agent.name']).toBe('cline');
});

test('other spans stay as they are', () => {
  for (const span of [spanOf(call), spanOf(call, 'cline')])
    expect(cline.readSpan?.(span)).toBe(span);
});
