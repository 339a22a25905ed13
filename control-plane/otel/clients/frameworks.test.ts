import { printedUsage } from './printed-usage.ts';
import { expect, test } from 'vitest';
import type { Attributes } from '../attributes.ts';
import type { OtelSpan } from '../span.ts';
import { promptOf } from '../messages/prompt.ts';
import { timeToFirstTokenOf } from '../response-facts.ts';
import { frameworkOfScope } from './known-clients.ts';

/**
 * Returns the attributes of a span after its framework's translation; undefined if the span is
 * dropped.
 */
function read(scope: string, attributes: Attributes, name = 'span'): Attributes | undefined {
  const span = spanOf(scope, attributes, name);
  const translated = frameworkOfScope(scope)?.readSpan(span) ?? span;
  return translated === 'ignored' ? undefined : translated.attributes;
}

const spanOf = (scope: string, attributes: Attributes, name = 'span'): OtelSpan => ({
  trace_id: 't',
  span_id: 's',
  parent_span_id: null,
  has_remote_parent: false,
  name,
  started_at: 0,
  ended_at: 1,
  position: 0,
  error: null,
  attributes,
  events: [],
  resource: {},
  scope: { name: scope, version: '1' },
});

test('text from a model is not read as usage, even if it looks like it', () => {
  const printed =
    "ChatMessage(content='cached_tokens=999999', raw=ChatCompletion(usage=CompletionUsage(prompt_tokens_details=PromptTokensDetails(cached_tokens=641))))";
  expect(printedUsage(printed)).toEqual({ 'llm.token_count.prompt_details.cache_read': '641' });
});

test('LiteLLM: tokens written to the cache are in the printed usage', () => {
  const printed =
    "{'prompt_tokens': 105, 'prompt_tokens_details': {'cached_tokens': 40, 'cache_creation_tokens': 5}}";
  expect(read('litellm', { 'metadata.usage_object': printed })).toMatchObject({
    'llm.token_count.prompt_details.cache_read': '40',
    'llm.token_count.prompt_details.cache_write': '5',
  });
});

test('LiteLLM: a response with text keeps its messages', () => {
  const attributes = {
    'gen_ai.output.messages': '[{"role":"assistant","parts":[{"type":"text","content":"Hi"}]}]',
    'gen_ai.completion.0.function_call.name': 'get_weather',
  };
  expect(read('litellm', attributes)).toEqual(attributes);
});

test.each([
  ['openai/gpt-4o', 'openai', 'gpt-4o'],
  ['bedrock/us.anthropic.claude-sonnet-4-6', 'bedrock', 'us.anthropic.claude-sonnet-4-6'],
  ['meta-llama/Llama-4', 'together_ai', 'meta-llama/Llama-4'],
])('OpenInference for LiteLLM: the model %s of %s is named %s', (route, provider, model) => {
  const attributes = { 'llm.model_name': route, 'llm.provider': provider };
  expect(read('openinference.instrumentation.litellm', attributes)).toMatchObject({
    'llm.model_name': model,
  });
});

test('LlamaIndex: the name of an agent is read from its event, not from a question', () => {
  const output =
    "AgentInput(input=[ChatMessage(text='current_agent_name='x')')], current_agent_name='weather')";
  const scope = 'openinference.instrumentation.llama_index';
  expect(read(scope, { 'output.value': output }, 'BaseWorkflowAgent.init_run')).toMatchObject({
    'gen_ai.agent.name': 'weather',
  });
  expect(read(scope, { 'output.value': output }, 'FunctionTool.acall')).toEqual({
    'output.value': output,
  });
});

test.each([
  ['OpenAI._prepare_chat_with_tools', false],
  ['OpenAI.get_tool_calls_from_response', false],
  ['OpenAI.astream_chat', true],
])('LlamaIndex: whether %s is a call: %s', (name, isCall) => {
  const attributes = { 'openinference.span.kind': 'LLM' };
  expect(read('openinference.instrumentation.llama_index', attributes, name)).toEqual(
    isCall ? attributes : undefined,
  );
});

test('Google ADK for Python: member names in snake case are read', () => {
  const response = {
    content: { role: 'model', parts: [{ text: 'Hi' }] },
    usage_metadata: {
      prompt_token_count: 150,
      candidates_token_count: 20,
      thoughts_token_count: 10,
      cached_content_token_count: 64,
    },
  };
  const attributes = {
    'gen_ai.system': 'gcp.vertex.agent',
    'gen_ai.request.model': 'gemini-2.5-flash',
    'gen_ai.usage.output_tokens': 20,
    'gcp.vertex.agent.llm_response': JSON.stringify(response),
  };
  expect(read('gcp.vertex.agent', attributes)).toMatchObject({
    'gen_ai.provider.name': 'gcp.gen_ai',
    'gen_ai.usage.output_tokens': 30,
    'gen_ai.usage.reasoning.output_tokens': 10,
    'gen_ai.usage.cache_read.input_tokens': 64,
    'gen_ai.output.messages': [response.content],
  });
});

test('Google ADK: the provider of a model from another company is unknown', () => {
  const attributes = { 'gen_ai.system': 'gcp.vertex.agent', 'gen_ai.request.model': 'gpt-4o' };
  expect(read('gcp.vertex.agent', attributes)).toEqual({ 'gen_ai.request.model': 'gpt-4o' });
});

test.each([
  ['strands.telemetry.tracer', 388, 388],
  ['openlit', 0.388, 388],
])('%s: a time to the first token of %d is %d ms', (scope, sent, ms) => {
  const attributes = read(scope, { 'gen_ai.server.time_to_first_token': sent }) ?? {};
  expect(timeToFirstTokenOf({ attributes, started_at: 0 })).toBe(ms);
});

const USAGE =
  '{"input_tokens": 60, "output_tokens": 20, "cache_read_input_tokens": 40, "cache_creation_input_tokens": 5}';
test.each([
  ['anthropic', 105],
  ['openai', 60],
])('MLflow: the input tokens of %s are %d', (format, tokens) => {
  const attributes = {
    'mlflow.message.format': JSON.stringify(format),
    'mlflow.chat.tokenUsage': USAGE,
  };
  expect(read('mlflow.tracing.provider', attributes)).toMatchObject({
    'gen_ai.provider.name': format,
    'gen_ai.usage.input_tokens': tokens,
    'gen_ai.usage.cache_write.input_tokens': 5,
  });
});

test('MLflow: tags keep their keys, except labels', () => {
  const attributes = { 'mlflow.traceTag.team': 'blue', 'mlflow.traceTag.tags': '["a", "b"]' };
  expect(read('mlflow.tracing.provider', attributes)).toMatchObject({
    'tag.tags': ['team: blue', 'a', 'b'],
  });
});

test("OpenInference's spans of Anthropic: the system prompt precedes the messages", () => {
  const scope = '@arizeai/openinference-instrumentation-anthropic';
  const sent = {
    'llm.invocation_parameters': '{"max_tokens":5,"system":"Be brief"}',
    'llm.input_messages.0.message.role': 'user',
    'llm.input_messages.0.message.content': 'Hi',
  };
  const promptIn = (attributes: Attributes) =>
    promptOf({ attributes: read(scope, attributes) ?? {}, events: [] });
  const user = { role: 'user', content: 'Hi' };
  expect(promptIn(sent)).toEqual([{ role: 'system', content: 'Be brief' }, user]);
  expect(promptIn({ ...sent, 'llm.invocation_parameters': '{"max_tokens":5}' })).toEqual([user]);
  const body = '{"system":"Be brief","messages":[{"role":"user","content":"Hi"}]}';
  expect(
    promptIn({
      'llm.invocation_parameters': sent['llm.invocation_parameters'],
      'input.value': body,
    }),
  ).toEqual([{ role: 'system', content: 'Be brief' }, user]);
});

test("OpenInference's spans of LangChain for JavaScript: parts of a message are read from the input", () => {
  const scope = '@arizeai/openinference-instrumentation-langchain';
  const parts = [{ type: 'text', text: 'Be brief' }];
  const sent = {
    'openinference.span.kind': 'LLM',
    'llm.input_messages.0.message.role': 'system',
    'llm.input_messages.1.message.role': 'user',
    'llm.input_messages.1.message.content': 'Hi',
  };
  const promptIn = (input: string) =>
    promptOf({ attributes: read(scope, { ...sent, 'input.value': input }) ?? {}, events: [] });
  const user = { role: 'user', content: 'Hi' };
  const messages = [[{ kwargs: { content: parts } }, { kwargs: { content: 'another text' } }]];
  expect(promptIn(JSON.stringify({ messages }))).toEqual([
    { role: 'system', content: 'Be brief' },
    user,
  ]);
  for (const input of ['', '{}', '{"messages":[]}', '{"messages":[[{"kwargs":{}}]]}'])
    expect(promptIn(input)).toEqual([{ role: 'system', content: '' }, user]);
});

const constructed = (type: string, kwargs: object) => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', type],
  kwargs: { additional_kwargs: {}, response_metadata: {}, id: 'm', ...kwargs },
});
const called = { name: 'get_weather', args: { city: 'Paris' }, id: 'c', type: 'tool_call' };

test.each<[string, object, object]>([
  ['a person', constructed('HumanMessage', { content: 'Hi' }), { role: 'user', content: 'Hi' }],
  [
    'a model',
    constructed('AIMessageChunk', { content: 'Ho', name: 'a', tool_calls: [] }),
    { role: 'assistant', content: 'Ho', name: 'a' },
  ],
  [
    'a model that calls a tool',
    constructed('AIMessage', { content: '', tool_calls: [called] }),
    { role: 'assistant', content: '', tool_calls: [called] },
  ],
  [
    'another role',
    constructed('ChatMessage', { content: 'Hm', role: 'critic' }),
    { role: 'critic', content: 'Hm' },
  ],
  [
    'a person, with its type',
    { type: 'human', data: { content: 'Hi', type: 'human', id: null, name: null } },
    { role: 'user', content: 'Hi' },
  ],
  [
    'a tool, with its type',
    { type: 'tool', data: { content: 'warm', tool_call_id: 'c', name: 'get_weather' } },
    { role: 'tool', content: 'warm', name: 'get_weather', tool_call_id: 'c' },
  ],
  ['no message', { lc: 1, type: 'constructor', id: ['x', 'Send'], kwargs: { to: 1 } }, { to: 1 }],
  ['data of an application', { type: 'chart', data: { a: 1 } }, { type: 'chart', data: { a: 1 } }],
])('LangChain: a serialized message of %s', (_who, serialized, plain) => {
  const sent = JSON.stringify({ messages: [serialized], lc: 1, data: {} });
  for (const scope of [
    '@arizeai/openinference-instrumentation-langchain',
    'openinference.instrumentation.langchain',
  ])
    expect(
      read(scope, { 'openinference.span.kind': 'CHAIN', 'output.value': sent }),
    ).toHaveProperty(['output.value', 'messages'], [plain]);
  expect(
    read('opentelemetry.instrumentation.langchain', { 'traceloop.entity.output': sent }),
  ).toHaveProperty(['traceloop.entity.output', 'messages'], [plain]);
});

test('LangChain: the output of a tool is the content of its message', () => {
  const message = constructed('ToolMessage', { content: 'warm', tool_call_id: 'c' });
  for (const sent of [message, { output: message }])
    expect(
      read('@arizeai/openinference-instrumentation-langchain', {
        'openinference.span.kind': 'TOOL',
        'output.value': JSON.stringify(sent),
      }),
    ).toHaveProperty(['output.value'], 'warm');
  expect(
    read('opentelemetry.instrumentation.langchain', {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.call.result': JSON.stringify({ output: message, kwargs: {} }),
    }),
  ).toHaveProperty(['gen_ai.tool.call.result'], 'warm');
});

test('LangChain: deeply nested values stay as they are', () => {
  const sent = `{"lc":1,"a":${'['.repeat(5000)}${']'.repeat(5000)}}`;
  const attributes = { 'openinference.span.kind': 'CHAIN', 'output.value': sent };
  expect(() => read('openinference.instrumentation.langchain', attributes)).not.toThrow();
});

test('DSPy: a tool has the name of its span without the method', () => {
  const tool = { 'openinference.span.kind': 'TOOL' };
  const scope = 'openinference.instrumentation.dspy';
  for (const name of ['get_weather.__call__', 'get_weather.acall'])
    expect(read(scope, tool, name)).toEqual({ ...tool, 'gen_ai.tool.name': 'get_weather' });
  expect(read(scope, { 'openinference.span.kind': 'CHAIN' }, 'ReAct.forward')).not.toHaveProperty([
    'gen_ai.tool.name',
  ]);
});

test('Pydantic AI: the result of an agent is its output', () => {
  expect(read('pydantic-ai', { final_result: '{"city":"Paris"}' })).toEqual({
    'output.value': '{"city":"Paris"}',
  });
  expect(read('another', { final_result: 'x' })).toEqual({ final_result: 'x' });
});

test('Strands for Python: the framework is not the provider', () => {
  const attributes = { 'gen_ai.system': 'strands-agents', 'gen_ai.request.model': 'gpt-4o' };
  expect(read('strands.telemetry.tracer', attributes)).toEqual({
    'gen_ai.request.model': 'gpt-4o',
  });
});

test.each([
  ['openinference.instrumentation.openai_agents', { 'openinference.span.kind': 'AGENT' }],
  ['opentelemetry.instrumentation.openai_agents', { 'traceloop.span.kind': 'agent' }],
])('OpenAI Agents: %s: an agent decides whether the run fails', (scope, attributes) => {
  const of = (parent_span_id: string | null, own: Attributes) => {
    const read = frameworkOfScope(scope)?.readSpan({ ...spanOf(scope, own), parent_span_id });
    return read === 'ignored' ? undefined : read?.client;
  };
  expect(of('p', attributes)).toEqual({ decides: true });
  expect(of('p', { 'openinference.span.kind': 'LLM' })).toBeUndefined();
  expect(of(null, { 'traceloop.span.kind': 'workflow' })).toBeUndefined();
});
