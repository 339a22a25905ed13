import { expect, test } from 'vitest';
import type { Attributes } from '../attributes.ts';
import type { LogRecord } from '../logs/log-record.ts';
import { cline } from './cline.ts';
import { clientOfScope } from './known-clients.ts';

const record = (event: string, attributes: Attributes = {}, at = 1000): LogRecord => ({
  trace_id: null,
  span_id: null,
  at,
  position: at * 1000,
  event,
  body: event,
  attributes,
  resource: {},
  scope: { name: 'cline', version: '' },
});
const read = (event: string, attributes: Attributes = {}) =>
  cline.readEvent(record(event, attributes), new Map());

/** What only records of the later versions have. */
const sdk = { ulid: 's', agentId: 'a' };

test('its events have their names in the body', () => {
  expect(clientOfScope('cline')).toBe(cline);
  expect(cline.eventOf?.(record('task.tokens'))).toBe('task.tokens');
  expect(cline.eventOf?.({ ...record(''), body: { text: 'no name' } })).toBe('');
});

const usage = { tokensIn: 60, tokensOut: 20, cacheReadTokens: 40, cacheWriteTokens: 5 };

test.each<[string, Attributes, number]>([
  ['with the SDK', { ...sdk, provider: 'openai' }, 105],
  ['of Anthropic', { ulid: 's', provider: 'anthropic' }, 105],
  ['of an API like OpenAI’s', { ulid: 's', provider: 'openai' }, 60],
])('a call %s has these input tokens', (_name, attributes, input) => {
  expect(read('task.tokens', { ...usage, ...attributes, model: 'm' })).toMatchObject({
    decides: true,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'm',
      'gen_ai.usage.input_tokens': input,
      'gen_ai.usage.output_tokens': 20,
      'gen_ai.usage.cache_read.input_tokens': 40,
      'gen_ai.usage.cache_write.input_tokens': 5,
    },
  });
});

test.each<[Attributes[string], number | undefined]>([
  [0.25, 0.25],
  // The price is not known.
  [0, undefined],
  ['undefined', undefined],
])('the cost %s is %s', (totalCost, cost) => {
  const { attributes } = read('task.tokens', { ...usage, ...sdk, totalCost }) as {
    attributes: Attributes;
  };
  expect(attributes['gen_ai.usage.cost']).toBe(cost);
});

test('a call lasts since the request of its agent began', () => {
  const earlier = new Map<string, LogRecord>();
  for (const [at, agentId] of [
    [100, 'a'],
    [700, 'b'],
  ] as const)
    cline.readEvent(record('task.provider_request_started', { ulid: 's', agentId }, at), earlier);
  const call = record('task.tokens', { ...usage, ...sdk }, 1000);
  expect(cline.readEvent(call, earlier)).toMatchObject({ duration_ms: 900 });
});

test.each<[string, Attributes, object]>([
  ['task.created', { ulid: 's' }, { role: 'prompt', turn: 's' }],
  ['task.created', sdk, { ignored: true }],
  ['task.conversation_turn', { ulid: 's', source: 'user' }, { ignored: true }],
  ['task.conversation_turn', { ...sdk, source: 'user' }, { role: 'prompt' }],
  ['task.conversation_turn', { ...sdk, source: 'assistant' }, { ignored: true }],
  ['task.conversation_turn', { ...sdk, source: 'user', isSubagent: true }, { ignored: true }],
])('%s with %j begins a run: %j', (event, attributes, report) => {
  const found = read(event, attributes);
  expect(found === 'ignored' ? { ignored: true } : found).toMatchObject(report);
});

test('prompts of the later versions have no name, so that each is a run', () => {
  expect(read('task.conversation_turn', { ...sdk, source: 'user' })).not.toHaveProperty('turn');
});

const mcp = { ulid: 's', serverName: 'github', toolName: 'search' };

test.each<[string, Attributes, object]>([
  ['task.tool_used', { tool: 'read_file', success: true }, { name: 'read_file', error: null }],
  ['task.tool_used', { tool: 'read_file', success: false }, { error: 'failed' }],
  // The next event names the tool of the server.
  ['task.tool_used', { tool: 'use_mcp_tool', success: true }, { ignored: true }],
  ['task.mcp_tool_called', { ...mcp, status: 'started' }, { ignored: true }],
  ['task.mcp_tool_called', { ...mcp, status: 'success' }, { name: 'mcp__github__search' }],
  ['task.mcp_tool_called', { ...mcp, status: 'error', errorMessage: 'no' }, { error: 'no' }],
  [
    'task.ai_output.rejected',
    { tool: 'write_to_file', linesAdded: 3 },
    {
      name: 'decision write_to_file',
      attributes: { tool: 'write_to_file', decision: 'reject', 'gen_ai.agent.name': 'cline' },
    },
  ],
])('%s with %j is the tool %j', (event, attributes, report) => {
  const found = read(event, attributes);
  expect(found === 'ignored' ? { ignored: true } : found).toMatchObject(report);
});

test('lines of a rejected edit do not count', () => {
  const report = read('task.ai_output.rejected', { tool: 'write_to_file', linesAdded: 3 });
  expect(report).not.toHaveProperty(['attributes', 'lines_added']);
});

test('a failed call has the error of the provider', () => {
  const failed = { ulid: 's', model: 'm', provider: 'openai', errorMessage: 'no such model' };
  expect(read('task.provider_api_error', failed)).toMatchObject({
    error: 'no such model',
    decides: true,
    attributes: { 'gen_ai.provider.name': 'openai', 'gen_ai.request.model': 'm' },
  });
});

test('the error of a session is that of its provider and model', () => {
  const earlier = new Map<string, LogRecord>();
  const error = { component: 'llms', providerId: 'p', modelId: 'm', error_message: 'refused' };
  expect(cline.readEvent(record('sdk.error', error), earlier)).toBe('ignored');
  const ofSession = (model: string) =>
    cline.readEvent(
      record('session.error_recorded', { sessionId: 's', provider: 'p', model }),
      earlier,
    );
  expect(ofSession('m')).toMatchObject({ error: 'refused', decides: true });
  expect(ofSession('other')).toMatchObject({ error: 'failed' });
});

test.each([
  [{ account_email: 'ada@example.com', user_id: 'usr-1' }, 'ada@example.com'],
  [{ account_email: 'undefined', user_id: 'usr-1' }, 'usr-1'],
  [{ distinct_id: 'random' }, undefined],
])('the user of %j is %s', (attributes, user) => {
  const report = read('task.created', { ulid: 's', ...attributes }) as { attributes: Attributes };
  expect(report.attributes['user.id']).toBe(user);
});

test.each([
  ['agent.turn-started', 'ignored'],
  ['ui.button_clicked', 'ignored'],
  ['task.initialization', 'ignored'],
  ['task.of_a_later_version', undefined],
  ['session.of_a_later_version', undefined],
])('%s is %s', (event, report) => {
  expect(read(event)).toBe(report);
});

test('an event of a run has no attributes of the installation', () => {
  const report = read('task.completed', {
    ...sdk,
    platform: 'cline',
    os_type: 'linux',
    device_id: 'random',
    member_id: 'mem-1',
    durationMs: 1929,
  });
  expect(report).toMatchObject({ name: 'task.completed', isNote: true });
  expect((report as { attributes: Attributes }).attributes).toEqual({
    'gen_ai.operation.name': 'event',
    'gen_ai.agent.name': 'cline',
    'session.id': 's',
    durationMs: 1929,
  });
});
