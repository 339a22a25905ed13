import { describe, expect, test } from 'vitest';
import { type CapturedExchange, joinExchange } from './join-exchange.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

const exchange = (more: Partial<CapturedExchange>): CapturedExchange => ({
  host: 'app.example',
  path: '/x',
  requestType: 'application/json',
  responseType: 'application/json',
  requestBody: null,
  responseBody: null,
  ...more,
});
const responseOf = (body: Uint8Array | string | null, type: string | null) =>
  joinExchange(exchange({ responseBody: body, responseType: type })).response;

describe('bodies that are not streams are unchanged', () => {
  const pretty = '{\n  "n": 1.50, "big": 12345678901234567890\n}';
  test.each([
    ['JSON', pretty, 'application/json', pretty],
    ['JSON that is cut', '{"a": [1, "tw', 'application/json', '{"a": [1, "tw'],
    ['JSON without a type', '{"a": 1}', null, '{"a": 1}'],
    ['a list', '[{"a":1},{"a":2}]', 'application/json', '[{"a":1},{"a":2}]'],
    ['HTML', '<p>data: x</p>', 'text/html', '<p>data: x</p>'],
    [
      'an error that was announced as a stream',
      '{"error":"no"}',
      'text/event-stream',
      '{"error":"no"}',
    ],
    ['text that was announced as a stream', 'Bad gateway', 'text/event-stream', 'Bad gateway'],
    ['nothing', '', 'application/json', null],
    ['no body', null, null, null],
    ['an image', 'PNG', 'image/png', null],
    ['gRPC', '\0\0\0\0\x05hello', 'application/grpc', null],
    ['gRPC-Web in text', 'AAAAAAU=', 'application/grpc-web-text', null],
    ['Connect with Protocol Buffers', '\0\0\0\0\x05hello', 'application/connect+proto', null],
    ['an event stream of AWS that is none', 'hello', 'application/vnd.amazon.eventstream', null],
  ])('%s', (_name, body, type, response) => {
    expect(responseOf(body === null ? null : bytes(body), type)).toBe(response);
  });
});

describe('streams are recognized', () => {
  const sse = 'data: {"text":"se"}\n\ndata: {"text":"cret"}\n\n';
  const lines = '{"text":"se"}\n{"text":"cret"}\n';
  test.each([
    ['SSE', sse, 'text/event-stream'],
    ['SSE with another type', sse, 'application/json'],
    ['SSE without a type', sse, null],
    ['NDJSON', lines, 'application/x-ndjson'],
    ['lines with another type', lines, 'application/json'],
    ['lines without a type, cut', `${lines}{"text":"x`, null],
    ['no lines', '{"text":"se"}{"text":"cret"}', 'text/plain'],
  ])('%s', (_name, body, type) => {
    expect(responseOf(bytes(body), type)).toBe('{"text":"secret"}');
    expect(responseOf(body, type)).toBe('{"text":"secret"}');
  });

  const frame = (text: string, flags = 0) => [flags, 0, 0, 0, text.length, ...bytes(text)];

  test('Connect with JSON, in the request and the response', () => {
    const body = Uint8Array.from([
      ...frame('{"text":"se"}'),
      ...frame('{"text":"cret"}'),
      ...frame('{}', 2),
      ...frame('{"cut').slice(0, 7),
    ]);
    const joined = joinExchange(
      exchange({
        requestType: 'application/connect+json',
        requestBody: Uint8Array.from(frame('{"ask":1}')),
        responseType: 'application/connect+json',
        responseBody: body,
      }),
    );
    expect(joined).toEqual({ request: '{"ask":1}', response: '{"text":"secret"}', api: null });
  });

  test('a compressed Connect message is omitted', () => {
    const body = Uint8Array.from([...frame('{"a":1}', 1), ...frame('{"b":1}')]);
    expect(responseOf(body, 'application/connect+json')).toBe('{"b":1}');
  });
});

test('a stream in another format than its path suggests is joined like an unknown stream', () => {
  const joined = joinExchange(
    exchange({
      path: '/v1/messages',
      requestBody: '{"messages":[]}',
      responseType: 'text/event-stream',
      responseBody: 'data: {"say":"a"}\n\ndata: {"say":"b"}\n\n',
    }),
  );
  expect(joined.response).toBe('{"say":"ab"}');
});

test('a truncated character is dropped', () => {
  const whole = bytes('{"a":"ü"}');
  expect(joinExchange(exchange({ requestBody: whole.subarray(0, 7) })).request).toBe('{"a":"');
});

test('excessive nesting neither causes an error nor prevents the other events from being joined', () => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  const body = `data: {"a":${deep}}\n\ndata: {"text":"x"}\n\n`;
  expect(JSON.parse(responseOf(body, 'text/event-stream')!)).toMatchObject({ text: 'x' });
});
