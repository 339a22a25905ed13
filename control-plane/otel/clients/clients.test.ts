import { expect, test } from 'vitest';
import type { Attributes } from '../attributes.ts';
import type { LogRecord } from '../logs/log-record.ts';
import type { OtelSpan } from '../span.ts';
import { claudeCode } from './claude-code.ts';
import type { Client } from './client.ts';
import { codex } from './codex.ts';
import { geminiCli, qwenCode } from './gemini-cli.ts';
import { goose } from './goose.ts';
import { clientOfScope } from './known-clients.ts';

const record = (event: string, attributes: Attributes = {}, at = 1000): LogRecord => ({
  trace_id: null,
  span_id: null,
  at,
  position: at * 1000,
  event,
  body: null,
  attributes,
  resource: {},
  scope: { name: 'test', version: '1' },
});
const read = (client: Client, event: string, attributes: Attributes = {}) =>
  client.readEvent(record(event, attributes), new Map());

test.each([
  ['com.anthropic.claude_code.events', claudeCode],
  ['com.anthropic.claude_code.tracing', claudeCode],
  ['codex_otel.log_only', codex],
  ['codex_exec', codex],
  ['gemini-cli', geminiCli],
  ['qwen-code', qwenCode],
  ['goose', goose],
  ['goose_cli::session', goose],
  ['goose::hooks', goose],
  ['gooseberry', undefined],
  ['codexample', undefined],
  ['gemini-cli-like', undefined],
  ['', undefined],
])('the scope %s belongs to its client', (scope, client) => {
  expect(clientOfScope(scope)).toBe(client);
});

const usage = {
  model: 'claude-sonnet-4-5',
  input_tokens: '60',
  output_tokens: 20,
  cache_read_tokens: 40,
  cache_creation_tokens: 5,
  cost_usd: 0.00051075,
  duration_ms: '182',
  request_id: 'req_1',
};

test('Claude Code: cached tokens are added to the input', () => {
  expect(read(claudeCode, 'api_request', { ...usage, 'prompt.id': 'p' })).toMatchObject({
    duration_ms: 182,
    call: 'req_1',
    turn: 'p',
    task: 'chat',
    attributes: {
      'gen_ai.usage.input_tokens': 105,
      'gen_ai.usage.output_tokens': 20,
      'gen_ai.usage.cache_read.input_tokens': 40,
      'gen_ai.usage.cache_write.input_tokens': 5,
      'gen_ai.usage.cost': 0.00051075,
    },
  });
});

test('Claude Code: the name of an event may be in the body, with its prefix', () => {
  expect(read(claudeCode, 'claude_code.api_request', usage)).toMatchObject({ call: 'req_1' });
});

test.each([
  ['repl_main_thread', true],
  ['repl_main_thread:compact', true],
  ['sdk', true],
  ['generate_session_title', false],
  ['agent:builtin:explore', false],
])('Claude Code: whether a call of %s decides if the run fails: %s', (query_source, decides) => {
  expect(read(claudeCode, 'api_error', { query_source, error: 'no' })).toMatchObject({
    decides,
    error: 'no',
  });
});

test.each([
  [{ 'user.email': 'a@b.c', 'user.account_uuid': 'u', 'user.id': 'x' }, 'a@b.c'],
  [{ 'user.account_uuid': 'u', 'user.id': 'x' }, 'u'],
  [{ 'user.id': 'x' }, 'x'],
])('Claude Code: the most specific user id is used', (attributes, user) => {
  expect(read(claudeCode, 'user_prompt', attributes)).toMatchObject({
    attributes: { 'user.id': user },
  });
});

test('Claude Code: a tool of an MCP server has the name that the model used', () => {
  const tool_parameters = '{"mcp_server_name":"github","mcp_tool_name":"search"}';
  const report = read(claudeCode, 'tool_result', {
    tool_name: 'mcp_tool',
    tool_parameters,
    tool_use_id: 't',
    success: 'false',
    error_type: 'Error:ENOENT',
  });
  expect(report).toMatchObject({
    name: 'mcp__github__search',
    tool_call: 't',
    error: 'Error:ENOENT',
    attributes: { 'gen_ai.tool.name': 'mcp__github__search' },
  });
});

test('Claude Code: an answer without a request id creates no call', () => {
  const report = read(claudeCode, 'assistant_response', { response: 'Hi', query_source: 'sdk' });
  expect(report).toMatchObject({ role: 'answer', isNote: true });
  expect(report).not.toHaveProperty('call');
});

test('Claude Code: a request body belongs to the call that follows, and a response body to its request', () => {
  const earlier = new Map<string, LogRecord>();
  const of = { 'session.id': 's', 'prompt.id': 'p', query_source: 'sdk' };
  const body = '{"system":"Be brief","messages":[{"role":"user","content":"Hi"}]}';
  expect(claudeCode.readEvent(record('api_request_body', { ...of, body }), earlier)).toBe(
    'ignored',
  );
  const request = record('api_request', { ...usage, ...of });
  expect(claudeCode.readEvent(request, earlier)).toMatchObject({
    call: 'req_1',
    attributes: { 'gen_ai.prompt': body },
  });
  expect(claudeCode.readEvent(request, earlier)).not.toHaveProperty([
    'attributes',
    'gen_ai.prompt',
  ]);
  const answer = { body: '{"content":[]}', request_id: 'req_1' };
  expect(read(claudeCode, 'api_response_body', answer)).toMatchObject({
    call: 'req_1',
    attributes: { 'gen_ai.completion': '{"content":[]}' },
  });
});

const span = (name: string, attributes: Attributes): OtelSpan => ({
  trace_id: '0af7651916cd43dd8448eb211c80319c',
  span_id: 'b7ad6b7169203331',
  parent_span_id: null,
  has_remote_parent: false,
  name,
  started_at: 1000,
  ended_at: 3000,
  position: 1_000_000,
  error: null,
  attributes,
  events: [],
  resource: {},
  scope: { name: 'test', version: '1' },
});

test('Claude Code: spans of one request have the same id, and spans without a request keep theirs', () => {
  const translate = (attributes: Attributes) =>
    claudeCode.readSpan?.(span('claude_code.llm_request', attributes)) as OtelSpan;
  const { span_id, attributes } = translate(usage);
  expect(span_id).toBe(translate({ request_id: 'req_1' }).span_id);
  expect(span_id).not.toBe(translate({ request_id: 'req_2' }).span_id);
  expect(translate({}).span_id).toBe('b7ad6b7169203331');
  expect(attributes['gen_ai.usage.input_tokens']).toBe(105);
});

test.each([
  [{ 'llm_request.context': 'interaction' }, { decides: true }],
  [{ 'llm_request.context': 'tool' }, { decides: false }],
  [
    { 'llm_request.context': 'interaction', query_source: 'compact' },
    { decides: false, task: 'compact' },
  ],
  [{ query_source: 'sdk' }, { decides: true, task: 'sdk' }],
])('Claude Code: a span with %j has %j', (attributes, client) => {
  expect(claudeCode.readSpan?.(span('claude_code.llm_request', attributes))).toMatchObject({
    client,
  });
});

test('Codex: of the events of a stream only the completion with token counts is a call', () => {
  const completed = { 'event.kind': 'response.completed' };
  expect(read(codex, 'codex.sse_event', { 'event.kind': 'response.created' })).toBe('ignored');
  expect(read(codex, 'codex.sse_event', completed)).toBe('ignored');
  const report = read(codex, 'codex.sse_event', {
    ...completed,
    model: 'gpt-5.1-codex',
    input_token_count: '100',
    output_token_count: '20',
    cached_token_count: '40',
    reasoning_token_count: '8',
  });
  expect(report).toMatchObject({
    decides: true,
    duration_ms: 0,
    attributes: {
      'gen_ai.provider.name': 'openai',
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 20,
      'gen_ai.usage.reasoning.output_tokens': 8,
    },
  });
});

test.each([
  [{ 'http.response.status_code': '400', 'error.message': 'refused' }, 'refused'],
  [{ 'http.response.status_code': '503' }, 'status 503'],
  [{ 'error.message': 'connection reset' }, 'connection reset'],
])('Codex: a failed request is a failed call', (attributes, error) => {
  expect(read(codex, 'codex.api_request', { ...attributes, duration_ms: '5' })).toMatchObject({
    error,
    duration_ms: 5,
  });
});

test('Codex: a call lasts from its request to the end of the stream', () => {
  const earlier = new Map<string, LogRecord>();
  const of = { 'conversation.id': 'c' };
  const request = record('codex.api_request', { ...of, duration_ms: '192' }, 1000);
  expect(codex.readEvent(request, earlier)).toBe('ignored');
  const done = record('codex.sse_event', { ...of, input_token_count: '1' }, 1500);
  expect(codex.readEvent(done, earlier)).toMatchObject({ duration_ms: 692 });
});

test.each([
  // The thoughts are not part of the output.
  [12, 8, 120, 20],
  // The thoughts are part of the output.
  [20, 8, 120, 20],
  // There is no total.
  [20, 8, 0, 20],
])(
  'Gemini CLI: output %d and thoughts %d with the total %d are %d output tokens',
  (output, thoughts, total, expected) => {
    const report = read(geminiCli, 'gemini_cli.api_response', {
      model: 'gemini-2.5-pro',
      input_token_count: 100,
      output_token_count: output,
      thoughts_token_count: thoughts,
      total_token_count: total,
    });
    expect(report).toMatchObject({ attributes: { 'gen_ai.usage.output_tokens': expected } });
  },
);

test('Gemini CLI: the chunks of a response are joined to one text', () => {
  const chunk = (text: string, more: object = {}) => ({
    candidates: [{ content: { parts: [{ text, ...more }] } }],
    responseId: 'made-by-the-provider',
  });
  const response_text = JSON.stringify([
    chunk('let me see', { thought: true }),
    chunk('It is '),
    chunk('warm'),
  ]);
  const report = read(geminiCli, 'gemini_cli.api_response', { response_text, role: 'main' });
  expect(report).toMatchObject({
    role: 'answer',
    call: 'made-by-the-provider',
    attributes: {
      'gen_ai.output.messages': [
        {
          parts: [
            { type: 'reasoning', content: 'let me see' },
            { type: 'text', content: 'It is warm' },
          ],
        },
      ],
    },
  });
});

test('Gemini CLI: its spans are ignored, and events of sub-agents do not decide if the run fails', () => {
  expect(geminiCli.readSpan?.(span('llm_call', {}))).toBe('ignored');
  expect(read(geminiCli, 'gemini_cli.api_error', { role: 'subagent' })).toMatchObject({
    decides: false,
    task: 'subagent',
  });
});

test('changed lines are read from the tool of Gemini CLI and from the applied patch of Codex', () => {
  const metadata = JSON.stringify({ model_added_lines: 4, model_removed_lines: 1 });
  expect(
    read(geminiCli, 'gemini_cli.tool_call', { function_name: 'replace', metadata }),
  ).toMatchObject({ attributes: { lines_added: 4, lines_removed: 1 } });
  const patch = '*** Begin Patch\n*** Update File: a\n@@\n-old\n+new\n+more\n*** End Patch';
  const patched = { tool_name: 'apply_patch', arguments: patch };
  for (const text of [patch, JSON.stringify({ input: patch })])
    expect(read(codex, 'codex.tool_result', { ...patched, arguments: text })).toMatchObject({
      attributes: { lines_added: 2, lines_removed: 1 },
    });
  const failed = read(codex, 'codex.tool_result', { ...patched, success: 'false' });
  expect(failed).not.toHaveProperty('attributes.lines_added');
});

test.each([
  [claudeCode, 'dreamt'],
  [codex, 'codex.dreamt'],
  [geminiCli, 'gemini_cli.dreamt'],
  [qwenCode, 'qwen-code.dreamt'],
])('an event without a rule is reported as unmapped', (client, event) => {
  expect(read(client, event)).toBeUndefined();
});
