import { expect, test } from 'vitest';
import type { Attributes } from '../attributes.ts';
import type { LogRecord } from '../logs/log-record.ts';
import { cursor } from './cursor.ts';
import { clientOfScope } from './known-clients.ts';

const record = (event: string, attributes: Attributes, body: string): LogRecord => ({
  trace_id: null,
  span_id: null,
  at: 1000,
  position: 1_000_000,
  event,
  body,
  attributes: { 'cursor.event.id': 'e', 'cursor.conversation.id': 'c', ...attributes },
  resource: { 'cursor.user.id': 99, 'cursor.user.account_id': 'user_1' },
  scope: { name: 'cursor.telemetry', version: '0.1.0' },
});
const read = (event: string, attributes: Attributes = {}, body = '') =>
  cursor.readEvent(record(event, attributes, body), new Map());

test('its scope is that of Cursor’s servers, and not that of the agent on a device', () => {
  expect(clientOfScope('cursor.telemetry')).toBe(cursor);
  expect(clientOfScope('gatehouse.cursor')).toBeUndefined();
});

test('an error and a request of one usage event are one call', () => {
  const ids = { 'cursor.usage_event.id': 'u', 'cursor.request.id': 'r' };
  const call = { call: 'u', turn: 'r', decides: true };
  expect(read('cursor.api.error', ids)).toMatchObject({ ...call, error: 'failed' });
  expect(read('cursor.api.request', ids)).toMatchObject(call);
});

test('a request without a usage event is identified by its record, and without a request by its conversation', () => {
  expect(read('cursor.api.request')).toMatchObject({
    call: 'e',
    turn: undefined,
    attributes: { 'session.id': 'c', 'user.id': 'user_1' },
  });
});

test.each(['api_request', 'skill_activated'])(
  'a record without a name, with the body %s, is that event',
  (body) => {
    expect(read('', {}, body)).toMatchObject({ name: body });
  },
);

test('other bodies are no names', () => {
  expect(read('', {}, 'hook_execution_complete')).toBe('ignored');
  expect(read('', {}, 'a text of a user')).toBeUndefined();
});

test.each([
  ['cursor.api.correction', 'ignored'],
  ['cursor.cloud_agent.setup', 'ignored'],
  ['cursor.grok_bot.shell_command', 'ignored'],
  ['cursor.conversation.user_message', undefined],
  ['cursor.api.requested', undefined],
  ['other', undefined],
])('the event %s is %j', (event, expected) => {
  expect(read(event)).toBe(expected);
});
