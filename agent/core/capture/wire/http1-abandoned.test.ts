import { describe, expect, test } from 'vitest';
import { inChunks, replay } from './testing/conversation.ts';
import { record } from './testing/recorder.ts';
import { conversationOf, observe, summary } from './testing/observe-http1.ts';

const GET = '>GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const EMPTY = '<HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

describe('observation of HTTP/1 stops', () => {
  const long = 'x'.repeat(66_000);
  test.each<[string, string, string[]]>([
    ['a head without an end', 'more than 65536 bytes of head', [`>GET /${long}`]],
    ['many short headers', 'more than 2000 headers', [`>GET / HTTP/1.1\r\n${'a:\n'.repeat(2001)}`]],
    [
      'trailers without an end',
      'more than 65536 bytes of head',
      [GET, `<HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\na: ${long}`],
    ],
    ['another protocol', 'not a request line of HTTP/1', ['>\u0016\u0003\u0001\n']],
    ['HTTP/2', 'not a request line of HTTP/1', ['>PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n']],
    ['HTTP/0.9', 'not a request line of HTTP/1', ['>GET /\r\n']],
    ['an answer of another protocol', 'not a status line of HTTP/1', [GET, '<SSH-2.0\r\n']],
    ['a line that is no header', 'not a header', ['>GET / HTTP/1.1\r\nHost\r\n\r\n']],
    ['a blank before the colon', 'not a header', ['>GET / HTTP/1.1\r\nContent-Length : 1\r\n\r\n']],
    [
      'a folded first line',
      'a continued line without a header',
      ['>GET / HTTP/1.1\r\n a: b\r\n\r\n'],
    ],
    ['a bare CR', 'a control character in a header', ['>GET / HTTP/1.1\r\na: b\rc: d\r\n\r\n']],
    [
      'lengths that differ',
      'lengths that differ',
      ['>GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    ],
    [
      'lengths that differ in a list',
      'lengths that differ',
      [GET, '<HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\n'],
    ],
    [
      'an invalid content length',
      'an invalid content length',
      ['>GET / HTTP/1.1\r\nContent-Length: +1\r\n\r\n'],
    ],
    [
      'another blank beside a length',
      'an invalid content length',
      ['>POST / HTTP/1.1\r\nContent-Length: 1\xa0\r\n\r\n'],
    ],
    [
      'an empty transfer coding',
      'an invalid transfer coding',
      ['>POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: ,\r\n\r\n'],
    ],
    ...['\x0bchunked', 'chunked\xa0', 'chunked\x0c, chunked'].map(
      (coding): [string, string, string[]] => [
        `the transfer coding ${JSON.stringify(coding)}`,
        'an invalid transfer coding',
        [`>POST / HTTP/1.1\r\nTransfer-Encoding: ${coding}\r\n\r\n`],
      ],
    ),
    ...['1;\nx\r\n0\r\n\r\n', '1\r\nx\n0\r\n\r\n'].map((chunks): [string, string, string[]] => [
      `the chunks ${JSON.stringify(chunks)}`,
      'a chunk without CRLF',
      [`>POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`],
    ]),
    [
      'length and chunks',
      'a length beside a transfer coding',
      ['>POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ],
    [
      'chunks in HTTP/1.0',
      'a transfer coding in HTTP/1.0',
      ['>POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ],
    [
      'chunked that is not last',
      'a transfer coding after chunked',
      ['>POST / HTTP/1.1\r\nTransfer-Encoding: chunked, gzip\r\n\r\n'],
    ],
    [
      'a request up to the end of the connection',
      'a request without an end',
      ['>POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n'],
    ],
    [
      'a chunk without a size',
      'a chunk without a size',
      ['>POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n'],
    ],
    [
      'a chunk longer than its size',
      'a chunk that is longer than its size',
      ['>POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n'],
    ],
    [
      'a response without a request',
      'an answer without a request',
      ['<HTTP/1.1 408 Timeout\r\n\r\n'],
    ],
    ['more answers than requests', 'an answer without a request', [GET, EMPTY, EMPTY]],
    [
      'too many requests at once',
      'too many requests without an answer',
      [GET.repeat(1001).replaceAll('>', '').replace('', '>')],
    ],
    [
      'requests behind an upgrade',
      'requests behind an upgrade',
      ['>GET / HTTP/1.1\r\n\r\nG', '<HTTP/1.1 101 Switching\r\nUpgrade: WebSocket\r\n\r\n'],
    ],
  ])('%s', (_, reason, lines) => {
    const { observer, givenUp, exchanges, budget } = record('http/1.1');
    replay(observer, inChunks(conversationOf(lines), [1000]));
    expect(givenUp).toEqual([reason]);
    for (const exchange of exchanges) exchange.release();
    expect(budget.held()).toBe(0);
  });

  test('delivers pending exchanges without an end', () => {
    const { exchanges, givenUp } = observe(
      GET,
      '<HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\nno size\r\n',
      '>GET /unseen HTTP/1.1\r\n\r\n',
    );
    expect(givenUp).toEqual(['a chunk without a size']);
    expect(exchanges.map(summary)).toEqual(['GET / [] -> 200 [ab]…']);
    expect(exchanges[0]).toMatchObject({ endedAt: null, aborted: false });
  });
});
