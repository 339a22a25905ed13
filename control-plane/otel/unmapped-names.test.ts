import { expect, test } from 'vitest';
import { attributeAliases } from './attribute-aliases.ts';
import type { Attributes } from './attributes.ts';
import { events } from './events.ts';
import type { SpanEvent } from './span.ts';
import { unmappedParts, unmappedUsage } from './unmapped-names.ts';

const unmapped = (attributes: Attributes, ...spanEvents: SpanEvent[]) =>
  unmappedParts({ attributes, events: spanEvents }).map(({ name }) => name);
const event = (name: string, attributes: Attributes = {}) => ({ name, at: 0, attributes });

test('every name used by a mapping counts as mapped', () => {
  for (const name of Object.values(attributeAliases).flat())
    expect(unmapped({ [name]: 1 })).toEqual([]);
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
  ['gen_ai.response.service_tier', []],
  ['gen_ai.response.refusal', ['gen_ai.response.refusal']],
  ['gen_ai.openai.response.tokens', ['gen_ai.openai.response.tokens']],
  ['anthropic.response.service_tier', []],
  ['anthropic.request.id', []],
  ['anthropic.usage.thinking_tokens', ['anthropic.usage.thinking_tokens']],
  ['openai.response.reasoning', ['openai.response.reasoning']],
  ['ai.response.providerMetadata', []],
  ['ai.response.totalTokens', ['ai.response.totalTokens']],
  ['ai.prompt.tools', []],
  ['ai.prompt.parts', ['ai.prompt.parts']],
  ['ai.settings.temperature', []],
  ['ai.settings.context.plan', []],
  ['ai.settings.sessionId', ['ai.settings.sessionId']],
  ['ai.stream.usage', ['ai.stream.usage']],
])('the attribute %s leaves the unmapped names %j', (name, names) => {
  expect(unmapped({ [name]: 'x' })).toEqual(names);
});

test.each<[Attributes, string[]]>([
  [{ 'my.tokens.prompt': 10, 'my.tokens.answer': 5 }, ['my.tokens.prompt', 'my.tokens.answer']],
  [{ promptTokens: 10, 'my.cost': 0.5, 'my.name': 'x' }, ['promptTokens', 'my.cost']],
  [{ 'agent.memory.tokens': 10 }, ['agent.memory.tokens']],
  [{ 'my.usage': { input: 10 } }, ['my.usage']],
  [{ 'my.usage': '{"input":10}' }, ['my.usage']],
  [{ 'my.calls.0.tokens': 1, 'my.calls.1.tokens': 2 }, ['my.calls.N.tokens']],
  [{ 'gen_ai.usage.tokens_in': 10 }, ['gen_ai.usage.tokens_in']],
  [{ 'order.cost': 12.5 }, []],
  [{ 'csrf.token': '123456' }, []],
  [{ 'my.usage': 'see the manual' }, []],
  [{ 'vm.memory.usage': 12, 'cpu.usage': 3 }, []],
  [{ 'http.response.tokens': 3 }, []],
  [{ 'my.state': 3 }, []],
])('the attributes %j of a span without AI work leave the names of usage %j', (given, names) => {
  expect(unmappedUsage({ attributes: given }).map(({ name }) => name)).toEqual(names);
});

test('an unmapped kind is reported with its value', () => {
  expect(unmapped({ 'gen_ai.operation.name': 'Dream' })).toEqual(['gen_ai.operation.name = dream']);
});

test('names that differ only in numbers are counted as one', () => {
  expect(unmapped({ 'a.0.b': 1, 'a.1.b': 1 })).toEqual(['a.N.b']);
});

test('every event used by a mapping counts as mapped', () => {
  for (const name of Object.values(events).flat()) expect(unmapped({}, event(name))).toEqual([]);
});

test('other GenAI events are reported by name, with their GenAI attributes', () => {
  const attributes = { 'gen_ai.new': 1, 'gen_ai.response.id': 'r', content: 'x', index: 0 };
  expect(
    unmapped({}, event('gen_ai.client.dreamt', attributes), event('gen_ai.choice', attributes)),
  ).toEqual(['gen_ai.new', 'event gen_ai.client.dreamt']);
});

test('events outside GenAI are ignored', () => {
  expect(unmapped({}, event('exception'), event('acme.retry', { 'gen_ai.new': 1 }))).toEqual([]);
});
