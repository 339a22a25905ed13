import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Attributes } from '../attributes.ts';
import type { OtelSpan } from '../span.ts';
import { withinLevel } from '../content-level.ts';
import type { WireRequest } from '../protocol/wire.ts';
import { readSpans } from '../read-spans.ts';
import { goose } from './goose.ts';

const laptop: Attributes = { 'service.name': 'goose', 'user.name': 'ada', 'host.name': 'laptop' };

const span = (name: string, attributes: Attributes, more: Partial<OtelSpan> = {}): OtelSpan => ({
  trace_id: '1'.repeat(32),
  span_id: '1'.repeat(16),
  parent_span_id: null,
  has_remote_parent: false,
  name,
  started_at: 1,
  ended_at: 2,
  position: 1,
  error: null,
  attributes,
  events: [],
  resource: laptop,
  scope: { name: 'goose', version: '' },
  ...more,
});

function read(name: string, attributes: Attributes, more: Partial<OtelSpan> = {}): OtelSpan {
  const result = goose.readSpan?.(span(name, attributes, more));
  if (!result || result === 'ignored') throw new Error('the span is dropped');
  return result;
}

const operation = (value: string): Attributes => ({ 'gen_ai.operation.name': value });
const logged = (level: string, name: string) => ({ name, at: 1, attributes: { level } });

test.each([
  [laptop, 'ada@laptop/20260301_1'],
  [{}, 'unknown@unknown/20260301_1'],
])('a session is unique only with its user and host: %j', (resource, session) => {
  const attributes = { ...operation('chat'), 'session.id': '20260301_1' };
  expect(read('chat', attributes, { resource }).attributes['session.id']).toBe(session);
  const record = { attributes, resource } as unknown as Parameters<typeof goose.sessionOf>[0];
  expect(goose.sessionOf(record)).toBe(session);
});

test.each([
  ['ada', 'ada'],
  ['root', undefined],
  ['unknown', undefined],
])('the user %s of the process is recorded as %s', (user, recorded) => {
  const { resource } = read('chat', operation('chat'), { resource: { 'user.name': user } });
  expect(resource['user.name']).toBe(recorded);
});

test('texts are kept only under the names by which levels drop them', () => {
  const { attributes } = read('reply', {
    ...operation('invoke_agent'),
    user_message: 'secret',
    trace_input: 'secret',
    trace_output: 'secret',
    input: 'secret',
    output: 'secret',
    'gen_ai.input.messages': 'kept',
  });
  expect(JSON.stringify(attributes)).not.toContain('secret');
  expect(attributes['gen_ai.input.messages']).toBe('kept');
});

test.each([
  ['metadata', false, false],
  ['prompts', true, false],
  ['tools', true, true],
] as const)('at the level %s, recorded spans have these texts', async (level, prompts, tools) => {
  const sample = new URL('../../../test/otel/samples/goose-traces.json', import.meta.url);
  const [request] = JSON.parse(await readFile(sample, 'utf8')) as [WireRequest];
  const { spans } = readSpans(request, Date.parse('2026-03-02'));
  const kept = spans.map((one) => withinLevel(goose.readSpan?.(one) as OtelSpan, level));
  const textsOf = (isTool: boolean): string =>
    JSON.stringify(kept.filter(({ name }) => (name === 'dispatch_tool_call') === isTool));
  expect(kept).toHaveLength(5);
  expect([/Paris/.test(textsOf(false)), /degrees/.test(textsOf(true))]).toEqual([prompts, tools]);
});

test.each([
  ['without a response', {}, [logged('WARN', 'refused'), logged('DEBUG', 'end')], 'refused'],
  ['without a response or a warning', {}, [logged('DEBUG', 'end')], null],
  ['with a response', { 'gen_ai.response.id': 'r' }, [logged('WARN', 'retrying')], null],
  ['with tokens', { 'gen_ai.usage.input_tokens': 1 }, [logged('WARN', 'retrying')], null],
])('a call %s has the error of its last warning', (_, attributes, events, error) => {
  expect(read('chat', { ...operation('chat'), ...attributes }, { events }).error).toBe(error);
});

test.each([
  ['shell', 'shell'],
  ['node__city', 'mcp__node__city'],
])('the tool %s is recorded as %s', (name, recorded) => {
  const { attributes } = read('tool', { ...operation('execute_tool'), 'gen_ai.tool.name': name });
  expect(attributes['gen_ai.tool.name']).toBe(recorded);
});

const result = (text: string) => ({ content: [{ type: 'text', text }], isError: true });

test.each([
  [{ status: 'error', value: result('no such file') }, 'no such file'],
  [{ status: 'error', value: 'cancelled' }, 'cancelled'],
  [{ status: 'error', value: { code: 1 } }, 'failed'],
  [{ status: 'error', value: 'x'.repeat(1000) }, 'x'.repeat(500)],
  [{ status: 'success', value: result('fine') }, null],
])('a tool fails by its output: %j', (output, error) => {
  const attributes = { ...operation('execute_tool'), output: JSON.stringify(output) };
  const tool = read('dispatch_tool_call', attributes);
  expect(tool.error).toBe(error);
  const returned = tool.attributes['gen_ai.tool.call.result'];
  expect(returned).toEqual(error === null ? undefined : output.value);
});

test('a refusal by a hook keeps its type', () => {
  const attributes = { ...operation('execute_tool'), 'error.type': 'hook_denied' };
  expect(read('dispatch_tool_call', attributes, { error: 'hook_denied' }).error).toBe(
    'hook_denied',
  );
});

test('a sub-agent is part of the run, and its span has its name', () => {
  const agent = { ...operation('invoke_agent'), 'gen_ai.agent.name': 'Delegated Task' };
  const sub = read('reply', agent);
  expect(sub.name).toBe('invoke_agent Delegated Task');
  expect(sub.attributes['gen_ai.agent.name']).toBe('goose');
});

test('only the span of a turn decides whether the run failed', () => {
  const events = [logged('ERROR', 'Error: refused'), logged('DEBUG', 'end')];
  const turn = read('reply_stream', operation('invoke_agent'), { error: 'failed', events });
  expect(turn).toMatchObject({ error: 'Error: refused', client: { decides: true } });
  expect(read('reply', operation('invoke_agent')).client).toBeUndefined();
});

test('a hook is a step, and spans without an operation stay unchanged', () => {
  const of = { 'goose.hook.event': 'PreToolUse', 'goose.hook.plugin': 'gatehouse' };
  const hook = read('execute_hook', { ...operation('execute_hook'), ...of });
  expect(withinLevel(hook, 'metadata').attributes).toMatchObject({
    ...operation('task'),
    hook_event: 'PreToolUse',
    'plugin.name': 'gatehouse',
  });
  const plain = span('serve', { target: 'rmcp' });
  expect(goose.readSpan?.(plain)).toBe(plain);
});
