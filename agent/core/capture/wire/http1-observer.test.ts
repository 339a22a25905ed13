import { describe, expect, test } from 'vitest';
import { plain, record } from './testing/recorder.ts';
import { conversationOf, observe, summary } from './testing/observe-http1.ts';

const GET = '>GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const EMPTY = '<HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

describe('HTTP/1 exchanges', () => {
  test.each<[string, string[], string[]]>([
    [
      'a length on both sides',
      [
        '>POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc',
        '<HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nde',
      ],
      ['POST /a [abc] -> 200 [de]'],
    ],
    [
      'chunks with extensions',
      [
        '>POST / HTTP/1.1\r\nTransfer-Encoding: gzip, Chunked\r\n\r\n3;a="b;c"\r\nabc\r\n0A ; x\r\n0123456789\r\n0\r\n\r\n',
        '<HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0;last\r\n\r\n',
      ],
      ['POST / [abc0123456789] -> 200 [x]'],
    ],
    [
      'a body up to the end of the connection',
      [GET, '<HTTP/1.1 200 OK\r\n\r\n', '<one ', '<two'],
      ['GET / [] -> 200 [one two]'],
    ],
    [
      'answers without a body whatever their headers say',
      [
        '>HEAD / HTTP/1.1\r\n\r\n',
        '<HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n',
        GET,
        '<HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n',
        GET,
        '<HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n',
        GET,
        EMPTY,
      ],
      ['HEAD / [] -> 200 []', 'GET / [] -> 304 []', 'GET / [] -> 204 []', 'GET / [] -> 200 []'],
    ],
    [
      'interim answers',
      [
        '>PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n',
        '<HTTP/1.1 100 Continue\r\n\r\n',
        '>ab',
        '<HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n',
        EMPTY,
      ],
      ['PUT / [ab] -> 200 []'],
    ],
    [
      'pipelined requests, answered in order',
      [
        '>HEAD /1 HTTP/1.1\r\n\r\nPOST /2 HTTP/1.1\r\nContent-Length: 1\r\n\r\nbGET /3 HTTP/1.1\r\n\r\n',
        '<HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 1\r\n\r\nc',
        '<HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n',
      ],
      ['HEAD /1 [] -> 200 []', 'POST /2 [b] -> 201 [c]', 'GET /3 [] -> 404 []'],
    ],
    [
      'an answer before the request is complete',
      [
        '>POST /a HTTP/1.1\r\nContent-Length: 4\r\n\r\nab',
        '<HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno',
        '>cd',
        GET,
        EMPTY,
      ],
      ['POST /a [abcd] -> 413 [no]', 'GET / [] -> 200 []'],
    ],
    [
      'a request that is never complete',
      [
        '>POST /a HTTP/1.1\r\nContent-Length: 4\r\n\r\nab',
        '<HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno',
      ],
      ['POST /a [ab]… -> 413 [no] aborted'],
    ],
    [
      'an answer cut short, and requests without one',
      [GET, GET, '<HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab'],
      ['GET / [] -> 200 [ab]… aborted', 'GET / [] -> nothing aborted'],
    ],
    [
      'chunks cut short',
      [GET, '<HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n'],
      ['GET / [] -> 200 [ab]… aborted'],
    ],
    [
      'bare LF, blank lines before a request, no reason phrase',
      ['>\r\n\nGET / HTTP/1.0\nHost: a\n\n', '<HTTP/1.0 200\nContent-Length: 1\n\nx'],
      ['GET / [] -> 200 [x]'],
    ],
    [
      'the same length twice',
      [GET, '<HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1, 1\r\n\r\nx', GET, EMPTY],
      ['GET / [] -> 200 [x]', 'GET / [] -> 200 []'],
    ],
    [
      'a tunnel',
      ['>CONNECT b:443 HTTP/1.1\r\n\r\n', '<HTTP/1.1 200 OK\r\n\r\n\u0016\u0003', '>\u0016\u0003'],
      ['CONNECT b:443 [] -> 200 []'],
    ],
    [
      'a tunnel refused',
      [
        '>CONNECT b:443 HTTP/1.1\r\n\r\n',
        '<HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno',
        GET,
        EMPTY,
      ],
      ['CONNECT b:443 [] -> 403 [no]', 'GET / [] -> 200 []'],
    ],
    [
      'another protocol',
      [
        '>GET / HTTP/1.1\r\nUpgrade: h2c\r\n\r\n',
        '<HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n\0\0\0',
        '>PRI * HTTP/2.0\r\n\r\n',
      ],
      ['GET / [] -> 101 []'],
    ],
  ])('%s', (_, lines, expected) => {
    const { exchanges, givenUp, budget } = observe(...lines);
    expect(exchanges.map(summary)).toEqual(expected);
    expect(givenUp).toEqual([]);
    for (const exchange of exchanges) exchange.release();
    expect(budget.held()).toBe(0);
  });

  test('are unlimited in number, and so are the chunks of a body', () => {
    const chunks = '1;an extension\r\nx\r\n'.repeat(20_000);
    const chunked = `<HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`;
    const long = GET.replace('Host', `A: ${'x'.repeat(10_000)}\r\nHost`);
    const turns = Array.from({ length: 20 }, () => [long, EMPTY]).flat();
    const { exchanges, givenUp } = observe(GET, chunked, ...turns);
    expect(givenUp).toEqual([]);
    expect(exchanges).toHaveLength(21);
    expect(exchanges[0]).toMatchObject({ response: { bytes: 20_000, complete: true } });
  });

  test.each([
    ['/v1?q=1', 'Host: b', '/v1?q=1', 'b'],
    ['https://b/v1?q=1', 'Host: b', '/v1?q=1', 'b'],
    ['HTTPS://ada:x@b:443?q=1', 'Host: B', '/?q=1', 'B'],
    ['https://b', 'X: y', '/', 'b'],
    ['https://b/v1', 'Host: c', '/v1', ''],
    ['/v1', 'Host: b\r\nHost: c', '/v1', ''],
    ['/v1', 'Host: b\r\nHost: b', '/v1', 'b'],
    ['*', 'Host: b', '*', 'b'],
    ['/v1', 'Host:', '/v1', null],
    ['/v1', 'Host:\r\nHost: b', '/v1', 'b'],
  ])('name their host in %s and %j', (requested, header, target, authority) => {
    const { exchanges } = observe(
      `>GET ${requested} HTTP/1.1\r\n${header}\r\n\r\n`,
      '<HTTP/1.1 204 No Content\r\n\r\n',
    );
    expect(exchanges).toMatchObject([{ target, authority }]);
  });

  test('are not described by their trailers', () => {
    const trailers = 'Content-Encoding: gzip\r\nContent-Type: image/png\r\nX-Sum: 1';
    const chunks = `1\r\nx\r\n0\r\n${trailers}\r\n\r\n`;
    const { exchanges } = observe(
      `>POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`,
      `<HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`,
    );
    const body = {
      headers: [
        ['transfer-encoding', 'chunked'],
        ['x-sum', '1'],
      ],
    };
    expect(exchanges).toMatchObject([{ request: body, response: body }]);
  });

  test('contain all facts of an exchange', () => {
    const { exchanges } = observe(
      '>POST /v1?q=\u00e9 HTTP/1.0\r\nHOST:  api.example \r\nX-Long: a\r\n\t b \r\nCookie:\r\nTransfer: \u00a0x\r\n\r\n',
      '<HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n0\r\nX-Sum: 1\r\n\r\n',
    );
    expect(exchanges.map(plain)).toEqual([
      {
        id: 0,
        protocol: 'http/1.0',
        method: 'POST',
        target: '/v1?q=\u00e9',
        authority: 'api.example',
        startedAt: 1000,
        endedAt: 1000,
        request: {
          headers: [
            ['host', 'api.example'],
            ['x-long', 'a b'],
            ['cookie', ''],
            ['transfer', '\u00a0x'],
          ],
          bytes: 0,
          truncated: false,
          complete: true,
          text: '',
        },
        status: 200,
        response: {
          headers: [
            ['transfer-encoding', 'chunked'],
            ['trailer', 'X-Sum'],
            ['x-sum', '1'],
          ],
          bytes: 0,
          truncated: false,
          complete: true,
          text: '',
        },
        aborted: false,
        webSocket: null,
      },
    ]);
  });

  test('have each byte of a header as one character, and its name in lower case', () => {
    const value = Array.from({ length: 254 }, (_, i) => String.fromCharCode(i + 1))
      .filter((char) => char !== '\r' && char !== '\n')
      .join('');
    const [exchange] = observe(
      `>GET / HTTP/1.1\r\nX-A: 1\r\nx-a: a${value}b\r\nX-A: 3\r\n\r\n`,
      EMPTY,
    ).exchanges;
    expect(exchange?.request.headers).toEqual([
      ['x-a', '1'],
      ['x-a', `a${value}b`],
      ['x-a', '3'],
    ]);
  });

  test('are delivered at their own end, not at that of the connection', () => {
    const { observer, exchanges } = record('http/1.1');
    for (const { from, bytes } of conversationOf([GET, '<HTTP/1.1 200 OK\r\n\r\n', '<body']))
      if (from === 'client') observer.fromClient(bytes);
      else observer.fromServer(bytes);

    expect(exchanges).toEqual([]);
    observer.serverEnded();
    expect(exchanges.map(summary)).toEqual(['GET / [] -> 200 [body]']);
  });
});
