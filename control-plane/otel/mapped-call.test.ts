import { expect, test } from 'vitest';
import { spellings } from './attribute-aliases.ts';
import type { Attributes } from './attributes.ts';
import { events } from './events.ts';
import type { SpanEvent } from './span.ts';
import { notUnderstood } from './mapped-call.ts';

const scope = { name: 'test', version: '1' };
const left = (attributes: Attributes, ...told: SpanEvent[]) =>
  notUnderstood({ attributes, events: told, scope });
const event = (name: string, attributes: Attributes = {}) => ({ name, at: 0, attributes });

test('every name that a rule uses is understood', () => {
  for (const name of Object.values(spellings).flat()) expect(left({ [name]: 1 })).toEqual([]);
});

test.each([
  ['gen_ai.request.temperature', []],
  ['http.response.status_code', []],
  ['llm.input_messages.3.message.content', []],
  ['gen_ai.prompt.0.role', []],
  ['gen_ai.usage.tokens_in', ['gen_ai.usage.tokens_in']],
  ['gen_ai.prompts', ['gen_ai.prompts']],
  ['acme.items.12.name', ['acme.items.N.name']],
  ['acme.v2', ['acme.v2']],
  ['langfuse.observation.usage_details', []],
  ['langfuse.trace.tags', []],
  ['langfuse.observation.metadata.tokens', []],
  ['langfuse.observation.usage', ['langfuse.observation.usage']],
  ['langfuse.observation.total_cost', ['langfuse.observation.total_cost']],
  ['mlflow.chat.tokenUsage', ['mlflow.chat.tokenUsage']],
  ['mlflow.traceRequestId', []],
  ['logfire.metrics.tokens', ['logfire.metrics.tokens']],
  ['logfire.json_schema', []],
  ['input_tokens', ['input_tokens']],
])('%s leaves %j', (name, names) => {
  expect(left({ [name]: 'x' })).toEqual(names);
});

test('of a kind the unknown value is told', () => {
  expect(left({ 'gen_ai.operation.name': 'Dream' })).toEqual(['gen_ai.operation.name = dream']);
});

test('a name that is read of one client’s spans is understood there', () => {
  const claude = { name: 'com.anthropic.claude_code.tracing', version: '1' };
  const attributes = { input_tokens: 1, cache_read_tokens: 1, other: 1 };
  expect(notUnderstood({ attributes, events: [], scope: claude })).toEqual(['other']);
});

test('names that differ only in numbers are one', () => {
  expect(left({ 'a.0.b': 1, 'a.1.b': 1 })).toEqual(['a.N.b']);
});

test('every event that a rule reads is understood', () => {
  for (const name of Object.values(events).flat()) expect(left({}, event(name))).toEqual([]);
});

test('of other events of GenAI the name is told, and attributes of GenAI', () => {
  const told = { 'gen_ai.new': 1, 'gen_ai.response.id': 'r', content: 'x', index: 0 };
  expect(left({}, event('gen_ai.client.dreamt', told), event('gen_ai.choice', told))).toEqual([
    'gen_ai.new',
    'event gen_ai.client.dreamt',
  ]);
});

test('other events are nothing of ours', () => {
  expect(left({}, event('exception'), event('acme.retry', { 'gen_ai.new': 1 }))).toEqual([]);
});
