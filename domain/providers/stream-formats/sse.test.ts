import { expect, test } from 'vitest';
import { looksLikeSse, readSse } from './sse.ts';

test.each([
  ['one event', 'data: {"a":1}\n\n', [{ name: null, data: { a: 1 } }]],
  ['no blank behind the colon', 'data:{"a":1}\n\n', [{ name: null, data: { a: 1 } }]],
  ['its name', 'event: ping\ndata: {}\n\n', [{ name: 'ping', data: {} }]],
  [
    'the name counts for one event',
    'event: a\ndata: 1\n\ndata: 2\n\n',
    [
      { name: 'a', data: 1 },
      { name: null, data: 2 },
    ],
  ],
  [
    'CRLF, CR and a byte order mark',
    '\uFEFFdata: 1\r\n\r\ndata: 2\r\rdata: 3\n\n',
    [1, 2, 3].map((data) => ({ name: null, data })),
  ],
  ['several lines', 'data: {"a":\ndata: 1}\n\n', [{ name: null, data: { a: 1 } }]],
  ['text', 'data: one\ndata:  two\n\n', [{ name: null, data: 'one\n two' }]],
  ['comments and other members', ': hi\nid: 4\nretry: 9\ndata: 1\n\n', [{ name: null, data: 1 }]],
  ['a name without data', 'event: ping\n\n', []],
  ['[DONE]', 'data: 1\n\ndata: [DONE]\n\n', [{ name: null, data: 1 }]],
  ['a cut event', 'data: {"a":1}\n\ndata: {"a":2', [{ name: null, data: { a: 1 } }]],
  ['a cut text', 'data: one\n\ndata: tw', [{ name: null, data: 'one' }]],
  ['no blank line at the end', 'data: {"a":1}', [{ name: null, data: { a: 1 } }]],
  ['only a line break at the end', 'data: {"a":1}\n', [{ name: null, data: { a: 1 } }]],
  ['a cut number is not taken for another', 'data: 1\n\ndata: 12', [{ name: null, data: 1 }]],
  ['nothing', '', []],
])('%s', (_name, text, events) => {
  expect(readSse(text)).toEqual(events);
});

test.each([
  ['data: {}', true],
  [': comment', true],
  ['\uFEFFevent: x', true],
  ['{"data": 1}', false],
  ['database: down', false],
  ['', false],
])('%j looks like an event stream: %s', (text, isSse) => {
  expect(looksLikeSse(text)).toBe(isSse);
});
