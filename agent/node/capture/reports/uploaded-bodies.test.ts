import { describe, expect, test } from 'vitest';
import type { ObservedBody, ObservedMessage } from '#agent/core/capture/wire/exchange.ts';
import { buildRedactedReport, type ExchangeCopy } from './exchange-report.ts';
import { createRedactor, noTenantRules } from './redactor.ts';

// Concatenated, so that secret scanners do not report this file.
const key = ['gh', 'p_', 'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vWxY1z'].join('');
const redactor = createRedactor(noTenantRules);
const JSON_TYPE = 'application/json';

const bodyOf = (body: string | Uint8Array, type: string | null): ObservedBody => ({
  headers: type === null ? [] : [['content-type', type]],
  beginning: [Buffer.from(body)],
  bytes: Buffer.byteLength(body),
  truncated: false,
  complete: true,
});

const reportOf = (more: Partial<ExchangeCopy>, host = 'api.openai.com') =>
  buildRedactedReport(
    {
      id: 1,
      protocol: 'h2',
      method: 'POST',
      target: '/x',
      authority: host,
      startedAt: 1,
      endedAt: 2,
      request: bodyOf('{}', JSON_TYPE),
      status: 200,
      response: bodyOf('{}', JSON_TYPE),
      aborted: false,
      webSocket: null,
      ...more,
    },
    { id: 'cap_1', host, app_id: null, process: 'curl', user: 'ada' },
    redactor,
  );

describe('files are not in the report', () => {
  const SECRET = 'The confidential text';

  test('of a multipart form', async () => {
    const lines = [
      '--b\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nassistants',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="notes.txt"',
      `Content-Type: text/plain\r\n\r\n${SECRET}, ${key}\r\n--b--\r\n`,
    ];
    const request = bodyOf(lines.join('\r\n'), 'multipart/form-data; boundary=b');
    const report = await reportOf({ target: '/v1/files', request });
    expect(report.request_body).toBe(
      '{"purpose":"assistants","file":{"filename":"notes.txt",' +
        '"data":"data:text/plain;base64,[63 bytes, not uploaded]"}}',
    );
    expect(report.redactions).toBe('{"API_KEY":1}');
  });

  test('of a JSON body, however long', async () => {
    const file = Buffer.from(`${`${SECRET}\n`.repeat(9000)}${key}\n`);
    const request = bodyOf(
      JSON.stringify({ filename: 'app.log', file_data: file.toString('base64') }),
      JSON_TYPE,
    );
    const report = await reportOf({ request });
    expect(report.request_body).toBe(
      `{"filename":"app.log","file_data":"[${file.length} bytes, not uploaded]"}`,
    );
    expect(report.redactions).toBe('{"API_KEY":1}');
  });

  test.each([
    ['/v1/files/file-1/content', JSON_TYPE],
    ['/v1/containers/c/files/f/content', 'text/plain'],
    ['/v1beta/files/f:download?alt=media', 'text/plain'],
    ['/x', 'text/csv'],
    ['/x', 'application/octet-stream'],
    ['/x', null],
  ])('from %s as %s', async (target, type) => {
    const response = bodyOf(type === JSON_TYPE ? `{"text":"${SECRET}"}` : SECRET, type);
    expect(await reportOf({ target, response })).toMatchObject({
      request_body: '{}',
      response_body: null,
    });
  });

  test.each([
    ['POST', '/upload/v1beta/files?upload_id=1', JSON_TYPE],
    ['PUT', '/x', 'text/plain'],
    ['PUT', '/x', 'application/x-www-form-urlencoded'],
  ])('to %s %s as %s', async (method, target, type) => {
    const request = bodyOf(`{"text":"${SECRET}"}`, type);
    expect((await reportOf({ method, target, request })).request_body).toBeNull();
  });

  const audio = Buffer.from(Array.from({ length: 600 }, (_, i) => (i * 13) % 256));
  const data = audio.toString('base64');
  const note = '[600 bytes, not uploaded]';
  const socket = (messages: [ObservedMessage['from'], object][]) => ({
    protocol: 'websocket' as const,
    status: 101,
    request: bodyOf('', null),
    response: bodyOf('', null),
    webSocket: {
      piece: 0,
      last: true,
      messages: messages.map(([from, message], at): ObservedMessage => {
        const bytes = Buffer.from(JSON.stringify(message));
        return { from, opcode: 'text', compressed: false, bytes, size: 9, truncated: false, at };
      }),
    },
  });

  test('of the realtime API', async () => {
    const item = { role: 'user', content: [{ type: 'input_audio', audio: data }] };
    const report = await reportOf(
      socket([
        ['server', { type: 'session.created', session: { model: 'gpt-realtime' } }],
        ['client', { type: 'input_audio_buffer.append', audio: data }],
        ['client', { type: 'conversation.item.create', item }],
        ['server', { type: 'response.created', response: { id: 'r', output: [] } }],
        ['server', { type: 'response.output_audio.delta', response_id: 'r', delta: data }],
      ]),
    );
    expect(report.request_body).toContain(`"audio":"${note}"`);
    expect(`${report.request_body}${report.response_body}`).not.toContain(data.slice(0, 40));
  });

  test('of Gemini Live', async () => {
    const part = { inlineData: { mimeType: 'audio/pcm', data } };
    const report = await reportOf(
      socket([
        ['client', { realtimeInput: { mediaChunks: [{ mimeType: 'audio/pcm', data }] } }],
        ['server', { serverContent: { modelTurn: { parts: [part] } } }],
        ['server', { serverContent: { turnComplete: true } }],
      ]),
    );
    expect(report.request_body).toBe('{"contents":[]}');
    expect(report.response_body).toBe(
      '{"candidates":[{"index":0,"content":{"role":"model","parts":[]}}]}',
    );
  });
});

describe('forms are redacted', () => {
  const FORM = 'application/x-www-form-urlencoded;charset=UTF-8';
  const bodyAfter = async (form: string) =>
    (await reportOf({ request: bodyOf(form, FORM) })).request_body;

  test.each([
    ['text=my+card+is+4111+1111+1111+1111+ok', '{"text":"my card is ##CREDIT_CARD## ok"}'],
    ['text=DB_PASSWORD+%3D+hunter2xyz', '{"text":"DB_PASSWORD = ##PASSWORD##"}'],
    ['text=Tel.+030+1234567+ok', '{"text":"Tel. ##PHONE## ok"}'],
    ['text=DE89+3704+0044+0532+0130+00', '{"text":"##IBAN##"}'],
    ['user=ada&password=hunter2xyz', '{"user":"ada","password":"##PASSWORD##"}'],
  ])('%s', async (form, json) => expect(await bodyAfter(form)).toBe(json));

  const filler = 'word ünd mehr, '.repeat(8000);
  test.each([
    ['at the beginning', `use ${key} please ${filler}`],
    ['at the end', `${filler} use ${key} please`],
  ])('JSON in a long form, with a key %s', async (_name, prompt) => {
    const inner = JSON.stringify([[prompt, 0, null]]);
    const body = await bodyAfter(`f.req=${encodeURIComponent(JSON.stringify([null, inner]))}&at=x`);
    expect(body).toContain('use ##API_KEY## please');
    expect(body).toContain('ünd mehr');
    expect(body).not.toContain(key);
  });
});

test('a key in the pieces of a stream of the AI SDK is found', async () => {
  const text = [key.slice(0, 16), key.slice(16)].map((piece) => `0:${JSON.stringify(piece)}\n`);
  const response = bodyOf(text.join(''), 'text/plain; charset=utf-8');
  expect((await reportOf({ response }, 'v0.app')).response_body).toBe(
    '{"parts":[{"type":"text","text":"##API_KEY##"}]}',
  );
});

test.each(['utf-16le', 'utf-16be', 'shift_jis', 'none'])(
  'a key in UTF-8 is found, although the type says %s',
  async (charset) => {
    const body = bodyOf(`{"content":"${key}"}`, `application/json; charset=${charset}`);
    const report = await reportOf({ request: body, response: body });
    expect(report.redactions).toBe('{"API_KEY":2}');
    expect(report.request_body).toBe('{"content":"##API_KEY##"}');
  },
);
