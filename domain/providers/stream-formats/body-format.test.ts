import { describe, expect, test } from 'vitest';
import { decodeText, formatOf } from './body-format.ts';

test.each([
  ['text/event-stream; charset=utf-8', 'sse'],
  ['application/x-ndjson', 'json-values'],
  ['application/jsonl', 'json-values'],
  ['application/vnd.amazon.eventstream', 'aws-event-stream'],
  ['application/connect+json', 'connect-json'],
  ['application/grpc', 'other'],
  ['application/grpc-web+json', 'other'],
  ['application/grpc-web+proto', 'other'],
  ['application/connect+proto', 'other'],
  ['image/png', 'other'],
  ['image/svg+xml', 'other'],
  ['text/html', 'other'],
  ['text/csv', 'other'],
  ['application/pdf', 'other'],
  ['multipart/related; boundary=x', 'other'],
  ['text/plain; charset=utf-8', 'text'],
  ['application/x-amz-json-1.1', 'text'],
  ['application/json+protobuf', 'other'],
  ['Application/JSON; charset=UTF-8', 'text'],
  ['application/problem+json', 'text'],
  ['application/x-www-form-urlencoded', 'form'],
  ['application/octet-stream', 'other'],
  ['multipart/form-data; boundary=x', 'multipart'],
  ['', 'unknown'],
  [null, 'unknown'],
])('%s is %s', (type, format) => {
  expect(formatOf(type)).toBe(format);
});

describe('decodes', () => {
  const utf8 = (text: string) => new TextEncoder().encode(text);
  const utf16 = (text: string) => Buffer.from(text, 'utf16le');

  test.each([
    ['UTF-8', utf8('Grüße'), 'application/json', 'Grüße'],
    ['without a character that is cut', utf8('Grü').subarray(0, 3), 'application/json', 'Gr'],
    ['the encoding of the type', Uint8Array.of(0x47, 0xfc), 'text/plain; charset="latin1"', 'Gü'],
    ['an unknown encoding', utf8('Gü'), 'text/plain; charset=x-none', 'Gü'],
    ['text with bytes that are none', Uint8Array.of(0x41, 0xff, 0x42), 'text/plain', 'A\uFFFDB'],
    ['text of no known type', utf8('{"a":1}'), null, '{"a":1}'],
    ['bytes of no known type', Uint8Array.of(0x41, 0xff), null, null],
    ['zeros', Uint8Array.of(0x41, 0), 'text/plain', null],
    ['zeros within a text', utf8('{"a":"\0"}'), 'application/json', null],
    [
      'UTF-8 that claims to be UTF-16',
      utf8('{"a":"ü"}'),
      'text/plain; charset=utf-16le',
      '{"a":"ü"}',
    ],
    ['UTF-8 that claims to be Latin-1', utf8('Grüße'), 'text/plain; charset=latin1', 'Grüße'],
    ['UTF-16', utf16('{"a":"ü"}'), 'application/json', '{"a":"ü"}'],
    ['UTF-16 with a mark', utf16('\uFEFF{"a":"ü"}'), 'application/json', '{"a":"ü"}'],
    ['UTF-16 with the other byte order', utf16('{"a"}').swap16(), 'application/json', '{"a"}'],
    ['UTF-16 that claims to be UTF-8', utf16('[1]'), 'application/json; charset=utf-8', '[1]'],
    ['UTF-16 as its type says', utf16('한국어'), 'text/plain; charset=utf-16le', '한국어'],
    [
      'text with escape sequences, as its type says',
      utf8('\x1b$B4A\x1b(B'),
      'text/plain; charset=iso-2022-jp',
      '漢',
    ],
    [
      'bytes with the type of a form',
      Uint8Array.of(0x41, 0xff),
      'application/x-www-form-urlencoded',
      null,
    ],
  ])('%s', (_name, bytes, type, text) => {
    expect(decodeText(bytes, type)).toBe(text);
  });
});
