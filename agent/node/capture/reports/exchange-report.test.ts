import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ObservedBody } from '#agent/core/capture/wire/exchange.ts';
import { captureReport, MAX_CAPTURED_BODY_LENGTH } from '#contract/captures.ts';
import { findUnstorable } from '#control-plane/http/storable.ts';
import {
  type ExchangeCopy,
  buildMetadata as metadataWith,
  type ReportFacts,
  buildRedactedReport as reportWith,
} from './exchange-report.ts';
import { createRedactor, noTenantRules } from './redactor.ts';

// Concatenated, so that secret scanners do not report this file.
const key = ['gh', 'p_', 'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vWxY1z'].join('');

const facts: ReportFacts = {
  id: 'cap_1',
  host: 'api.openai.com',
  app_id: null,
  process: 'curl',
  user: 'ada',
};

const redactor = createRedactor(noTenantRules);
const metadataOf = (copy: ExchangeCopy, of: ReportFacts) => metadataWith(copy, of, redactor.pathOf);
const reportOf = (copy: ExchangeCopy, of: ReportFacts) => reportWith(copy, of, redactor);

const bodyOf = (body: string | Uint8Array, type = 'application/json'): ObservedBody => {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return {
    headers: [['content-type', type]],
    beginning: [bytes],
    bytes: bytes.length,
    truncated: false,
    complete: true,
  };
};

const copyOf = (more: Partial<ExchangeCopy>): ExchangeCopy => ({
  id: 1,
  protocol: 'http/1.1',
  method: 'POST',
  target: '/v1/chat/completions',
  authority: 'api.openai.com',
  startedAt: Date.UTC(2026, 0, 1),
  endedAt: Date.UTC(2026, 0, 2),
  request: bodyOf(''),
  status: 200,
  response: null,
  aborted: false,
  webSocket: null,
  ...more,
});

/** Encodes the report as sent to the control plane; fails if the control plane would reject it. */
function sent(report: Awaited<ReturnType<typeof reportWith>>): z.input<typeof captureReport> {
  const wire = JSON.parse(JSON.stringify(z.encode(captureReport, report))) as z.input<
    typeof captureReport
  >;
  expect(findUnstorable(wire, 'body')).toBeUndefined();
  return wire;
}

describe('paths are redacted in the report', () => {
  test.each([
    ['/api/accounts/ada%40example.org/settings', '/api/accounts/##EMAIL##/settings'],
    ['/call/+4915112345678', '/call/##PHONE##'],
    ['/ip/8.8.8.8/x', '/ip/##IP_ADDRESS##/x'],
    [`/keys/${key}`, '/keys/##API_KEY##'],
    ['/v1/endpoints/3690731503199557145:predict', '/v1/endpoints/##CREDIT_CARD##:predict'],
    ['/v1/x?api_key=secret#part', '/v1/x'],
    ['/a\0\ud800b', '/a\ufffd\ufffdb'],
    ['*', '/'],
  ])('%j', (target, path) => {
    expect(sent(metadataOf(copyOf({ target }), facts)).path).toBe(path);
  });
});

test.each([
  [`text/plain; x=${key}`, 'text/plain'],
  ['Application/JSON;charset=utf-8', 'application/json'],
  ['application/vnd.api+json', 'application/vnd.api+json'],
  [key, null],
  [`text/${'x'.repeat(300)}`, null],
  ['', null],
])('the content type %j is reported as %j', (header, type) => {
  const body = bodyOf('', header);
  expect(sent(metadataOf(copyOf({ request: body, response: body }), facts))).toMatchObject({
    request_type: type,
    response_type: type,
  });
});

test('the parameters of a content type still determine how a body is decoded', async () => {
  const body = bodyOf(Buffer.from('{"a":"é"}', 'utf16le'), 'application/json; charset=utf-16le');
  expect((await reportOf(copyOf({ request: body }), facts)).request_body).toBe('{"a":"é"}');
});

test.each([
  ['no pair is cut into halves', `"${'😀'.repeat(MAX_CAPTURED_BODY_LENGTH)}`],
  ['nor where one begins with the text', '😀'.repeat(MAX_CAPTURED_BODY_LENGTH)],
])('a long body is truncated, and %s', async (_, text) => {
  const report = sent(await reportOf(copyOf({ request: bodyOf(text, 'text/plain') }), facts));
  expect(report.request_truncated).toBe(true);
  expect(report.request_body?.length).toBeGreaterThanOrEqual(MAX_CAPTURED_BODY_LENGTH - 1);
  expect(text.startsWith(report.request_body ?? '-')).toBe(true);
});

test('a long conversation loses its oldest messages, not its last one and its id', async () => {
  const messages = ['old '.repeat(70_000), 'and now?'].map((content) => ({
    role: 'user',
    content,
  }));
  const request = bodyOf(JSON.stringify({ messages, metadata: { session_id: 's1' } }));
  const report = sent(await reportOf(copyOf({ request }), facts));
  expect(report.request_truncated).toBe(true);
  expect(JSON.parse(report.request_body ?? '')).toEqual({
    messages: ['[1 message, not uploaded]', messages[1]],
    metadata: { session_id: 's1' },
  });
});

test('JSON in binary messages is read, as from the Live API, and audio is not', async () => {
  const messageOf = (from: 'client' | 'server', opcode: 'text' | 'binary', data: Uint8Array) => {
    const flags = { compressed: false, truncated: false, at: 0 };
    return { from, opcode, bytes: data, size: data.length, ...flags };
  };
  const json = (value: object) => Buffer.from(JSON.stringify(value));
  const content = { modelTurn: { parts: [{ text: 'Noon.' }] }, turnComplete: true };
  const messages = [
    messageOf('client', 'text', json({ setup: { model: 'models/gemini-live' } })),
    messageOf('client', 'binary', Buffer.from([0x7b, 0xff, 0x00])),
    messageOf('server', 'binary', json({ serverContent: content })),
  ];
  const copy = copyOf({ response: bodyOf(''), webSocket: { piece: 0, last: true, messages } });
  const { request_body, response_body } = sent(await reportOf(copy, facts));
  expect(request_body).toBe('{"model":"models/gemini-live","contents":[]}');
  expect(response_body).toContain('Noon.');
});

test('more kinds than a report may contain are still redacted', async () => {
  const keys = Array.from({ length: 60 }, (_, n) => ({ key: `k${n}`, type: `KIND_${n}` }));
  const body = JSON.stringify(Object.fromEntries(keys.map(({ key }) => [key, 'hidden'])));
  const own = createRedactor({ keys, patterns: [] });
  const report = sent(await reportWith(copyOf({ request: bodyOf(body) }), facts, own));
  expect(Object.keys(report.redactions)).toHaveLength(50);
  expect(report.request_body).not.toContain('hidden');
});

test('a rule may replace the whole path', () => {
  const own = createRedactor({ keys: [{ key: 'path', type: 'PATH' }], patterns: [] });
  const { path } = sent(metadataWith(copyOf({ target: '/x' }), facts, own.pathOf));
  expect(path).toBe('##PATH##');
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('\0', '\ud83d', '\ude00', '😀', 'a', '/', '?', '#', '%', '@'),
  }),
  fc.constantFrom('ada@example.org', '4111111111111111', '8.8.8.8', 'x'.repeat(300)),
);
const json = fc
  .record({
    model: anyText,
    messages: fc.array(fc.record({ role: fc.constant('user'), content: anyText })),
    usage: fc.record({ prompt_tokens: fc.double(), completion_tokens: fc.double() }),
  })
  .map((value) => JSON.stringify(value));
const anyBody = fc
  .tuple(fc.oneof(fc.uint8Array(), anyText, json, fc.json()), anyText, fc.boolean())
  .map(([content, type, isJson]) => bodyOf(content, isJson ? 'application/json' : type));
const anyMessage = fc
  .tuple(fc.constantFrom('client' as const, 'server' as const), fc.oneof(anyText, json))
  .map(([from, text]) => ({
    from,
    opcode: 'text' as const,
    compressed: false,
    bytes: new TextEncoder().encode(text),
    size: text.length,
    truncated: false,
    at: 0,
  }));

test('the control plane accepts the report of any exchange', async () => {
  const exchanges = fc.record({
    method: anyText,
    target: fc.oneof(
      anyText,
      fc.array(anyText).map((parts) => `/${parts.join('/')}`),
    ),
    status: fc.option(fc.integer()),
    request: anyBody,
    response: fc.option(anyBody),
    webSocket: fc.option(
      fc.array(anyMessage).map((messages) => ({ piece: 0, last: true, messages })),
    ),
  });
  const names = fc.record({ process: fc.option(anyText), user: fc.option(anyText) });
  await fc.assert(
    fc.asyncProperty(exchanges, names, async (exchange, who) => {
      const copy = copyOf(exchange);
      sent(metadataOf(copy, { ...facts, ...who }));
      sent(await reportOf(copy, { ...facts, ...who }));
    }),
    { numRuns: 500 },
  );
});
