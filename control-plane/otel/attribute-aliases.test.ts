import { describe, expect, test } from 'vitest';
import { testSpan } from '#test/otel/test-span.ts';
import type { Attributes, Json } from './attributes.ts';
import { behaviorOf } from './behavior.ts';
import { mapCall } from './map-call.ts';
import { runOfTrace } from './run-of-trace.ts';
import { factsOf } from './trace-facts.ts';
import { splitWords } from './attribute-aliases.ts';

const callWith = (attributes: Attributes) => mapCall(testSpan({ attributes }), 'inference');
const runWith = (attributes: Attributes, resource: Attributes = {}) =>
  runOfTrace(factsOf(testSpan({ attributes, resource })), true);

describe.each([
  [
    'provider',
    'gen_ai.provider.name gen_ai.system llm.system ai.model.provider llm.provider',
    'anthropic',
  ],
  [
    'model',
    `gen_ai.response.model gen_ai.request.model llm.response.model llm.model_name ai.model.id
     embedding.model_name`,
    'm-1',
  ],
  [
    'tokens_in',
    `gen_ai.usage.input_tokens gen_ai.usage.prompt_tokens llm.token_count.prompt
     ai.usage.promptTokens ai.usage.inputTokens llm.usage.prompt_tokens`,
    7,
  ],
  [
    'tokens_out',
    `gen_ai.usage.output_tokens gen_ai.usage.completion_tokens llm.token_count.completion
     ai.usage.completionTokens ai.usage.outputTokens llm.usage.completion_tokens`,
    7,
  ],
  [
    'cache_read_tokens',
    `gen_ai.usage.cache_read.input_tokens gen_ai.usage.cache_read_input_tokens
     llm.token_count.prompt_details.cache_read ai.usage.cachedInputTokens`,
    7,
  ],
  [
    'cache_write_tokens',
    `gen_ai.usage.cache_write.input_tokens gen_ai.usage.cache_creation.input_tokens
     gen_ai.usage.cache_creation_input_tokens llm.token_count.prompt_details.cache_write`,
    7,
  ],
  ['cost', 'gen_ai.usage.cost llm.cost.total', 0.25],
] as const)('%s of a call', (field, names, value) => {
  test.each(splitWords(names))('is read from %s', (name) => {
    expect(callWith({ [name]: value })[field]).toBe(value);
  });

  test('is taken from the first of its names', () => {
    const [first, ...others] = splitWords(names);
    const attributes = Object.fromEntries(
      [...others].reverse().map((name) => [name, typeof value === 'number' ? 1 : 'other']),
    );
    expect(callWith({ ...attributes, [first as string]: value })[field]).toBe(value);
  });
});

test.each<[string, Attributes, object]>([
  [
    'tokens_in',
    { 'gen_ai.usage.input_tokens': 'abc', 'gen_ai.usage.prompt_tokens': 10 },
    { tokens_in: 10 },
  ],
  [
    'tokens_out',
    { 'gen_ai.usage.output_tokens': -1, 'gen_ai.usage.completion_tokens': '10' },
    { tokens_out: 10 },
  ],
  [
    'tokens_in beyond any call',
    { 'gen_ai.usage.input_tokens': 1e15, 'llm.token_count.prompt': 10 },
    { tokens_in: 10 },
  ],
  ['cost', { 'gen_ai.usage.cost': 1e7, 'llm.cost.total': 0.5 }, { cost: 0.5 }],
  [
    'model',
    { 'gen_ai.response.model': ['gpt'], 'gen_ai.request.model': 'gpt-4o' },
    { model: 'gpt-4o' },
  ],
  [
    'prompt',
    {
      'gen_ai.prompt.name': { a: 1 },
      'langfuse.prompt.name': 'p',
      'gen_ai.prompt.version': '1.5',
      'langfuse.prompt.version': 2,
    },
    { prompt: { name: 'p', version: 2 } },
  ],
])(
  '%s falls back to the next name if the first has an unusable value',
  (_name, input, expected) => {
    expect(callWith(input)).toMatchObject(expected);
  },
);

describe.each([
  [
    'session_id',
    `gen_ai.conversation.id session.id langfuse.session.id ai.telemetry.metadata.sessionId
     ai.settings.context.sessionId traceloop.association.properties.session_id`,
  ],
  [
    'user_id',
    `user.id enduser.id langfuse.user.id ai.telemetry.metadata.userId ai.settings.context.userId
     gen_ai.user llm.user`,
  ],
  [
    'agent_name',
    `gen_ai.agent.name gen_ai.workflow.name traceloop.workflow.name ai.telemetry.functionId`,
  ],
  ['workflow_name', 'gen_ai.workflow.name traceloop.workflow.name'],
] as const)('%s of a run', (field, names) => {
  test.each(splitWords(names))('is read from %s', (name) => {
    expect(runWith({ [name]: 'x' }, { 'service.name': 'svc' })[field]).toBe('x');
  });
});

test.each<[string, Attributes, Attributes, Partial<ReturnType<typeof runWith>>]>([
  ['service.name', {}, { 'service.name': 'svc' }, { agent_name: 'svc' }],
  ['nothing', {}, { 'service.name': 'unknown_service:node' }, { agent_name: 'unknown' }],
  [
    'traceloop.entity.name of an agent',
    { 'traceloop.entity.name': 'planner', 'traceloop.span.kind': 'agent' },
    { 'service.name': 'svc' },
    { agent_name: 'planner' },
  ],
  [
    'service.name rather than the name of a tool',
    { 'traceloop.entity.name': 'search', 'traceloop.span.kind': 'tool' },
    { 'service.name': 'svc' },
    { agent_name: 'svc' },
  ],
  [
    'the user of the resource',
    {},
    { 'user.id': 'u', 'session.id': 's' },
    { user_id: 'u', session_id: 's' },
  ],
  [
    'the environment',
    {},
    { 'service.name': 'svc', 'deployment.environment': 'prod', 'service.version': '2' },
    { metadata: { root_span: 'span', service: 'svc', environment: 'prod', service_version: '2' } },
  ],
  [
    'the newer name of the environment',
    {},
    { 'deployment.environment.name': 'new', 'deployment.environment': 'old' },
    { metadata: { root_span: 'span', environment: 'new' } },
  ],
])('a run is named after %s', (_name, attributes, resource, expected) => {
  expect(runWith(attributes, resource)).toMatchObject(expected);
});

test('the provider of a call drops the suffix that the Vercel AI SDK adds', () => {
  expect(callWith({ 'ai.model.provider': 'openai.chat' }).provider).toBe('openai');
  expect(callWith({ 'gen_ai.provider.name': 'azure.ai.openai' }).provider).toBe('azure.ai.openai');
});

describe.each([
  ['gen_ai.tool.name', 'gen_ai.tool.call.arguments', 'gen_ai.tool.call.result'],
  ['tool.name', 'input.value', 'output.value'],
  ['ai.toolCall.name', 'ai.toolCall.args', 'ai.toolCall.result'],
  ['gen_ai.tool.name', 'traceloop.entity.input', 'traceloop.entity.output'],
])('a tool with the attributes %s, %s and %s', (name, input, output) => {
  test.each<[Json, Json]>([
    ['{"city":"Paris"}', { city: 'Paris' }],
    [{ city: 'Paris' }, { city: 'Paris' }],
    ['plain', { value: 'plain' }],
    ['[1,2]', { value: [1, 2] }],
  ])('reads %j', (value, expected) => {
    const attributes = { [name]: 'weather', [input]: value, [output]: value };
    expect(behaviorOf(testSpan({ attributes }), 'tool')).toMatchObject({
      name: 'weather',
      kind: 'tool',
      input_data: expected,
      output_data: expected,
      attributes: { [name]: 'weather' },
    });
  });
});

test.each<[string, Attributes, object]>([
  [
    'gen_ai.retrieval',
    {
      'gen_ai.retrieval.query.text': 'q',
      'gen_ai.retrieval.documents': '[{"id":"d1","score":0.5}]',
      'gen_ai.retrieval.top_k': 3,
      'gen_ai.data_source.id': 'wiki',
    },
    {
      input_data: { query: 'q' },
      output_data: { documents: [{ id: 'd1', score: 0.5 }] },
      attributes: { top_k: 3, source: 'wiki' },
    },
  ],
  [
    'OpenInference',
    {
      'input.value': 'q',
      'retrieval.documents.1.document.id': 'd2',
      'retrieval.documents.0.document.id': 'd1',
      'retrieval.documents.0.document.score': 0.5,
    },
    {
      input_data: { value: 'q' },
      output_data: { documents: [{ id: 'd1', score: 0.5 }, { id: 'd2' }] },
    },
  ],
  [
    'memory',
    { 'gen_ai.memory.query.text': 'q', 'gen_ai.memory.records': ['r'] },
    { input_data: { query: 'q' }, output_data: { documents: ['r'] } },
  ],
])('a retriever in the form of %s', (_name, attributes, expected) => {
  expect(behaviorOf(testSpan({ attributes }), 'retriever')).toMatchObject(expected);
});

test.each<readonly [Attributes, object]>([
  [{ 'traceloop.prompt.version_hash': 'a'.repeat(64) }, { hash: 'a'.repeat(64) }],
  [{ 'gen_ai.prompt.name': 'p' }, {}],
  [
    { 'langfuse.prompt.name': 'p', 'langfuse.prompt.version': 3 },
    { name: 'p', version: 3 },
  ],
  [
    { 'langfuse.observation.prompt.name': 'p', 'langfuse.observation.prompt.version': 3 },
    { name: 'p', version: 3 },
  ],
  [
    { 'traceloop.prompt.key': 'p', 'traceloop.prompt.version': '2' },
    { name: 'p', version: 2 },
  ],
  // A version is a whole number, and PostgreSQL rejects a query for any other value.
  ...['1.5', 1.5, '1e300', 1e300, '-1', ' ', '9223372036854775808'].map(
    (version) => [{ 'gen_ai.prompt.name': 'p', 'gen_ai.prompt.version': version }, {}] as const,
  ),
])('the prompt of a call with %j', (attributes, prompt) => {
  expect(callWith(attributes).prompt).toEqual(prompt);
});
