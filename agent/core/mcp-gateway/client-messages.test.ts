import { describe, expect, test } from 'vitest';
import { readClientLine } from './client-messages.ts';
import { asciiLine, parseExactly } from './exact-json.ts';

const read = (line: string | Buffer) => readClientLine(Buffer.from(line as string));
const call = (params: string, id = '1'): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`;
/** What the server gets of a line. */
const forwarded = (line: string): string[] => read(line).messages.map(asciiLine);

describe('a message is forwarded so that every parser reads the same', () => {
  test.each([
    [
      'integers beyond double',
      call('{"name":"a","arguments":{"n":1e400}}', '12345678901234567890'),
    ],
    [
      'fractions as written',
      call('{"name":"a","arguments":[1.0,-0,0.10,1E2,1.0000000000000000001]}'),
    ],
    ['members with any name', call('{"name":"a","arguments":{"__proto__":{"name":"b"},"Name":1}}')],
    ['a result', '{"jsonrpc":"2.0","id":"a","result":{}}'],
    ['an error without an id', '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}'],
    ['a notification', '{"jsonrpc":"2.0","method":"notifications/initialized"}'],
  ])('%s', (_, line) => {
    expect(read(line).refusals).toEqual([]);
    expect(forwarded(line)).toEqual([`${line}\n`]);
    expect(forwarded(` \t${line}\r\n`)).toEqual([`${line}\n`]);
  });

  test.each([
    ['{"name":"echo","name":"delete"}', '{"name":"delete"}'],
    ['{"name":"delete","n\\u0061me":"echo"}', '{"name":"echo"}'],
    ['{"name":"a",\r"arguments":\r{}}', '{"name":"a","arguments":{}}'],
    ['{"name":"grüße \u2028\u2029\u0085\u007f🙂"}', null],
    [
      '{"name":"grüße","arguments":"\u2028\u2029\u0085\u007f🙂\\ud800"}',
      '{"name":"gr\\u00fc\\u00dfe","arguments":"\\u2028\\u2029\\u0085\\u007f\\ud83d\\ude42\\ud800"}',
    ],
  ])('%j', (params, expected) => {
    expect(forwarded(call(params))).toEqual(expected === null ? [] : [`${call(expected)}\n`]);
  });
});

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;
const VALID = call('{"name":"a"}');

test.each<[string | Buffer, number, unknown]>([
  ['no json', PARSE_ERROR, null],
  [call('{"name":"a","arguments":NaN}'), PARSE_ERROR, null],
  [call('{"name":"a",}'), PARSE_ERROR, null],
  [call("{'name':'a'}"), PARSE_ERROR, null],
  [`${VALID}${VALID}`, PARSE_ERROR, null],
  [`${VALID}\r${VALID}`, PARSE_ERROR, null],
  [`${VALID}\u2028${VALID}`, PARSE_ERROR, null],
  [`${VALID}\0`, PARSE_ERROR, null],
  [`// a comment\r${VALID}`, PARSE_ERROR, null],
  [`\uFEFF${VALID}`, PARSE_ERROR, null],
  [Buffer.from(call('{"name":"\u00ff"}'), 'latin1'), PARSE_ERROR, null],
  [Buffer.from(VALID, 'utf16le'), PARSE_ERROR, null],
  [`[[${VALID}]]`, INVALID_REQUEST, null],
  ['[]', INVALID_REQUEST, null],
  ['12345678901234567890', INVALID_REQUEST, null],
  ['null', INVALID_REQUEST, null],
  ['{"id":1,"method":"tools/call","params":{"name":"a"}}', INVALID_REQUEST, 1],
  ['{"jsonrpc":2.0,"id":1,"method":"ping"}', INVALID_REQUEST, 1],
  ['{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call"}', INVALID_REQUEST, 1],
  ['{"jsonrpc":"2.0","id":"x","method":"ping","param\u017f":{}}', INVALID_REQUEST, 'x'],
  ['{"jsonrpc":"2.0","id":1,"method":"a","__proto__":{"method":"b"}}', INVALID_REQUEST, 1],
  ['{"jsonrpc":"2.0","id":1,"method":"tools/call\\u0000"}', INVALID_REQUEST, 1],
  ['{"jsonrpc":"2.0","id":1,"method":["tools/call"]}', INVALID_REQUEST, null],
  ['{"jsonrpc":"2.0","id":1.0,"method":"ping"}', INVALID_REQUEST, null],
  ['{"jsonrpc":"2.0","id":1e21,"method":"ping"}', INVALID_REQUEST, null],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', INVALID_REQUEST, null],
  ['{"jsonrpc":"2.0","id":{},"method":"ping"}', INVALID_REQUEST, null],
  ['{"jsonrpc":"2.0","id":1}', INVALID_REQUEST, null],
  ['{"jsonrpc":"2.0","id":1,"result":{},"error":{}}', INVALID_REQUEST, null],
  ['{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}', INVALID_REQUEST, 1],
  ['{"jsonrpc":"2.0","result":{}}', INVALID_REQUEST, null],
  ['{"jsonrpc":"2.0","id":1,"method":"tools/call"}', INVALID_PARAMS, 1],
  [call('["a",{}]'), INVALID_PARAMS, 1],
  [call('{"__proto__":{"name":"a"}}'), INVALID_PARAMS, 1],
  [
    call('{"name":["a"]}', '12345678901234567890'),
    INVALID_PARAMS,
    parseExactly('12345678901234567890'),
  ],
  [call('{"name":""}'), INVALID_PARAMS, 1],
  [call('{"name":"a\\u0000"}'), INVALID_PARAMS, 1],
  [call('{"name":"a\\ud800"}'), INVALID_PARAMS, 1],
  [call('{"name":"a","NAME":"b"}'), INVALID_PARAMS, 1],
  [call('{"name":"a","name\\u0000":"b"}'), INVALID_PARAMS, 1],
  [call('{"name":"a","argument\u017f":{}}'), INVALID_PARAMS, 1],
])('%j is refused with %j for the id %j', (line, code, id) => {
  const { messages, refusals } = read(line);
  expect(messages).toEqual([]);
  expect(refusals).toEqual([
    { jsonrpc: '2.0', id, error: { code, message: expect.anything() as string } },
  ]);
});

test.each([501, 1_000_000])('nesting %i deep is refused', (depth) => {
  const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  expect(read(call(`{"name":"a","arguments":${nested}}`))).toMatchObject({
    messages: [],
    refusals: [{ error: { code: PARSE_ERROR } }],
  });
});

test('of a batch, valid messages are forwarded and each other one is refused', () => {
  const { messages, refusals, isBatch } = read(
    `[${VALID},[${VALID}],{"jsonrpc":"2.0","id":2,"method":"a","x":1}]`,
  );
  expect(isBatch).toBe(true);
  expect(messages).toEqual([JSON.parse(VALID)]);
  expect(refusals.map(({ id }) => id)).toEqual([null, 2]);
});

test.each(['\n', ' \t\r\n'])('the blank line %j is ignored', (line) => {
  expect(read(line)).toEqual({ messages: [], refusals: [], isBatch: false });
});
