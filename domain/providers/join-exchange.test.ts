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
    ['a page', '<p>data: x</p>', 'text/html', null],
    ['a file', 'name,mail\n', 'text/csv', null],
    ['a file of any kind', '{"a":1}', 'application/octet-stream', null],
    ['text without a type', 'name,mail\n', null, null],
    ['text', 'An answer.\n\nkey: "value"\n', 'text/plain', 'An answer.\n\nkey: "value"\n'],
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

describe('the JSON of an LLM call is read with the type', () => {
  const json = '{"model":"m","messages":[]}';
  const requestOf = (requestType: string, path: string, requestBody = json) =>
    joinExchange(exchange({ path, requestType, requestBody: bytes(requestBody) })).request;

  test.each([
    'text/html',
    'image/png',
    'application/octet-stream',
    'application/vnd.amazon.eventstream',
    'application/connect+json',
    'multipart/form-data; boundary=b',
    'application/json, text/html',
  ])('%s', (type) => {
    expect(requestOf(type, '/v1/chat/completions')).toBe(json);
    expect(requestOf(type, '/v1/chat/completions', 'no JSON')).toBeNull();
    expect(requestOf(type, '/v1/files')).toBeNull();
  });
});

describe('forms become JSON', () => {
  const requestOf = (requestBody: string | Uint8Array, requestType: string, isCut = false) =>
    joinExchange(exchange({ requestBody, requestType, isRequestTruncated: isCut })).request;
  const form = (body: string, isCut?: boolean) =>
    requestOf(body, 'application/x-www-form-urlencoded;charset=UTF-8', isCut);

  test.each([
    ['a=1&b=x+y%26z', '{"a":"1","b":"x y&z"}'],
    ['a=1&a=2&__proto__=3', '{"a":["1","2"],"__proto__":"3"}'],
    ['f.req=%5B%22%C3%BC%22%5D&at=', '{"f.req":"[\\"ü\\"]","at":""}'],
    ['a=100%&b=%FF', '{"a":"100%","b":"\uFFFD"}'],
    ['a=1&jane%40example.com', '{"a":"1","":"jane@example.com"}'],
    ['{"json": "a=1&b=2+3"}', '{"json": "a=1&b=2+3"}'],
    ['Dear all, 1 + 1 = 2', 'Dear all, 1 + 1 = 2'],
  ])('%s', (body, json) => expect(form(body)).toBe(json));

  test('the last word of a form that is cut is dropped', () => {
    expect(form('model=gpt-4o&text=my+key+is+sk-abc', true)).toBe(
      '{"model":"gpt-4o","text":"my key is "}',
    );
  });

  const multipart = (lines: readonly string[], isCut?: boolean) =>
    requestOf(bytes(lines.join('\r\n')), 'multipart/form-data; boundary="-b 1"', isCut);
  const file = ['Content-Disposition: form-data; name="file"; filename="notes.txt"'];
  const url = `data:text/plain;base64,${btoa('The whole\r\n--file')}`;

  test('the files of a multipart form become data URLs', () => {
    expect(
      multipart([
        'preamble\r\n---b 1\r\ncontent-disposition: form-data; name="purpose"\r\n\r\na b\r\n---b 1',
        ...file,
        'Content-Type: text/plain\r\n\r\nThe whole\r\n--file\r\n---b 1',
        'Content-Type: image/png\r\n\r\nPNG\r\n---b 1--\r\n',
      ]),
    ).toBe(
      `{"purpose":"a b","file":{"filename":"notes.txt","data":"${url}"},` +
        '"":{"data":"data:image/png;base64,UE5H"}}',
    );
  });

  test('a multipart form that is cut', () => {
    const model = ['---b 1', 'Content-Disposition: form-data; name="model"', '', 'whisper-1'];
    const cutFile = multipart([...model, '---b 1', ...file, '', 'The wh'], true);
    expect(cutFile).toBe(
      '{"model":"whisper-1","file":{"filename":"notes.txt",' +
        '"data":"data:application/octet-stream;base64,VGhlIHdo"}}',
    );
    const prompt = ['---b 1', 'Content-Disposition: form-data; name="prompt"', '', 'key sk-a1'];
    expect(multipart([...model, ...prompt], true)).toBe('{"model":"whisper-1","prompt":"key "}');
  });

  test('a multipart form without a boundary or without parts is dropped', () => {
    expect(requestOf(bytes('--b\r\n\r\nx\r\n--b--'), 'multipart/form-data')).toBe(null);
    expect(multipart(['no parts'])).toBe(null);
  });
});

describe('streams of web applications', () => {
  const json = (value: unknown) => JSON.stringify(value);

  test('lines of the AI SDK', () => {
    const lines = ['f:{"messageId":"m"}', '0:"se"', 'g:"hm"', '0:"cret"', 'b:{"toolCallId":"t",'];
    const call =
      'c:{"toolCallId":"t","argsTextDelta":"{\\"a"}\nc:{"toolCallId":"t","argsTextDelta":"b"}';
    const text = [...lines.slice(0, 4), call, '2:[{"x":1}]', 'd:{"finishReason":"stop"}', '0:"cu'];
    expect(JSON.parse(responseOf(text.join('\n'), 'text/plain; charset=utf-8')!)).toEqual({
      parts: [
        { type: 'text', text: 'secret' },
        { type: 'reasoning', text: 'hm' },
        { type: 'tool', toolCallId: 't', input: '{"ab' },
      ],
      events: {
        'start-step': { messageId: 'm', type: 'start-step' },
        'part 2': { type: 'part 2', value: [{ x: 1 }] },
        finish: { finishReason: 'stop', type: 'finish' },
      },
    });
  });

  test('the UI message stream of the AI SDK: deltas of several parts alternate', () => {
    const events = [
      { type: 'start', messageId: 'm' },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'se' },
      { type: 'tool-input-start', toolCallId: 'a', toolName: 'read' },
      { type: 'tool-input-start', toolCallId: 'b', toolName: 'read' },
      { type: 'tool-input-delta', toolCallId: 'a', inputTextDelta: '{"x":"se' },
      { type: 'tool-input-delta', toolCallId: 'b', inputTextDelta: '{"y":"ot' },
      { type: 'text-delta', id: '1', delta: 'cret' },
      { type: 'tool-input-delta', toolCallId: 'a', inputTextDelta: 'cret' },
      { type: 'tool-input-available', toolCallId: 'b', toolName: 'read', input: { y: 'other' } },
      { type: 'tool-output-available', toolCallId: 'b', output: 'none' },
    ];
    const body = events.map((event) => `data: ${json(event)}\n\n`).join('');
    expect(JSON.parse(responseOf(`${body}data: [DONE]\n\n`, 'text/event-stream')!)).toEqual({
      parts: [
        { type: 'text', id: '1', text: 'secret' },
        { type: 'tool', toolCallId: 'a', toolName: 'read', input: '{"x":"secret' },
        {
          type: 'tool',
          toolCallId: 'b',
          toolName: 'read',
          input: { y: 'other' },
          output: 'none',
        },
      ],
      events: { type: 'start', messageId: 'm' },
    });
  });

  const rpc = (...lists: unknown[][]) =>
    `)]}'\n\n${lists.map((list) => `${json(list).length + 2}\n${json(list)}\n`).join('')}`;
  const row = (name: string | null, payload: unknown, number: string | null = null) => [
    'wrb.fr',
    name,
    json(payload),
    null,
    null,
    null,
    number,
  ];

  test("Google's web applications: a later chunk repeats the text with more of it", () => {
    const body = rpc(
      [row(null, [null, ['c', 'r'], null, null, [['rc', ['my key is sec']]]])],
      [row(null, [null, null, null, null, [['rc', ['my key is **secret**']]]]), ['di', 21]],
      [row(null, [null, null, { '7': 'done' }])],
      [['e', 4, null, null, 131]],
    );
    expect(JSON.parse(responseOf(body, 'application/json')!)).toEqual({
      response: [null, ['c', 'r'], { '7': 'done' }, null, [['rc', ['my key is **secret**']]]],
    });
    expect(JSON.parse(responseOf(body.slice(0, -40), 'application/json')!)).toHaveProperty(
      'response',
    );
  });

  test("Google's web applications: several calls", () => {
    const rows = [row('aB', ['x'], 'generic'), row('cD', ['y'], '1'), row('cD', 'z', '2')];
    expect(responseOf(rpc(rows), 'application/json')).toBe('{"aB":["x"],"cD 1":["y"],"cD 2":"z"}');
    expect(responseOf(`)]}'\n${json(rows)}`, 'application/json')).toBe(
      '{"aB":["x"],"cD 1":["y"],"cD 2":"z"}',
    );
  });

  test('only the guard of other JSON is dropped', () => {
    expect(responseOf(`)]}',\n{"a": 1}`, 'application/json')).toBe('{"a": 1}');
  });

  test.each([
    ['a code before each piece', 'x:"se"\nx:"cret"\n'],
    ['a code and a blank', 'say: "se"\n\nsay: "cret"'],
    ['texts', '"se"\n"cret"\n'],
    ['lists', '["se"]\n["cret"]\n'],
    ['lengths between lists', '6\n["se"]\n8\n["cret"]\n'],
    ['a piece that is cut', 'x:"se"\nx:"cr"\nx:"e'],
  ])('lines of an unknown format are dropped: %s', (_name, body) => {
    expect(responseOf(body, 'text/plain')).toBe(null);
  });

  test.each([
    ['one line', 'x:"a whole text"'],
    ['JSON over several lines', '[\n"a",\n"b"\n]'],
    ['prose with a few', 'An answer:\n\n"one"\n"two"\n\nBoth are right.\nSo it is.\n'],
  ])('other lines stay: %s', (_name, body) => {
    expect(responseOf(body, 'text/plain')).toBe(body);
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
  expect(JSON.parse(responseOf(body, 'text/event-stream')!)).toMatchObject({
    events: { text: 'x' },
  });
});
