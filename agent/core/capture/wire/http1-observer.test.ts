import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ObservedExchange } from './exchange.ts';
import { inChunks, type Transmission, replay } from './testing/conversation.ts';
import { bytesOf, plain, record, type Recorder, textOf } from './testing/recorder.ts';

/** A line of a conversation: `>` from the client, `<` from the server. */
function conversationOf(lines: readonly string[]): Transmission[] {
  return lines.map((line) => ({
    from: line.startsWith('>') ? 'client' : 'server',
    bytes: bytesOf(line.slice(1)),
  }));
}

function observe(...lines: string[]): Recorder {
  const recorder = record('http/1.1');
  replay(recorder.observer, conversationOf(lines));
  return recorder;
}

/** An exchange in a line: what was asked, what was answered. */
function summary({ method, target, request, status, response, aborted }: ObservedExchange): string {
  const text = (parts: readonly Uint8Array[] = []) => parts.map(textOf).join('');
  const asked = `${method} ${target} [${text(request.beginning)}]${request.complete ? '' : '…'}`;
  const answered = response
    ? `${status} [${text(response.beginning)}]${response.complete ? '' : '…'}`
    : 'nothing';
  return `${asked} -> ${answered}${aborted ? ' aborted' : ''}`;
}

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

  test('are not limited in number, nor are the chunks of one', () => {
    const chunks = '1;an extension\r\nx\r\n'.repeat(20_000);
    const chunked = `<HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`;
    const long = GET.replace('Host', `A: ${'x'.repeat(10_000)}\r\nHost`);
    const turns = Array.from({ length: 20 }, () => [long, EMPTY]).flat();
    const { exchanges, givenUp } = observe(GET, chunked, ...turns);
    expect(givenUp).toEqual([]);
    expect(exchanges).toHaveLength(21);
    expect(exchanges[0]).toMatchObject({ response: { bytes: 20_000, complete: true } });
  });

  test('says all about an exchange', () => {
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

  test('has every byte of a header as a character, and however it is written its name', () => {
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

  test('is handed out when it is over, not when the connection is', () => {
    const { observer, exchanges } = record('http/1.1');
    for (const { from, bytes } of conversationOf([GET, '<HTTP/1.1 200 OK\r\n\r\n', '<body']))
      if (from === 'client') observer.fromClient(bytes);
      else observer.fromServer(bytes);

    expect(exchanges).toEqual([]);
    observer.serverEnded();
    expect(exchanges.map(summary)).toEqual(['GET / [] -> 200 [body]']);
  });
});

describe('what HTTP/1 is given up for', () => {
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
      'a length that is no number',
      'a length that is no number',
      ['>GET / HTTP/1.1\r\nContent-Length: +1\r\n\r\n'],
    ],
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

  test('hands out what was under way, without an end', () => {
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

interface Message {
  head: string[];
  body: string;
  framing: 'length' | 'chunked' | 'none';
  chunks: number[];
  lineEnd: string;
}

interface Turn {
  method: string;
  request: Message;
  interim: number[];
  status: number;
  response: Message;
}

const text = fc.string({
  unit: fc.constantFrom('a', '\r', '\n', '0', ':', ' ', '\u00ff'),
  maxLength: 60,
});
const message: fc.Arbitrary<Message> = fc.record({
  head: fc.array(fc.constantFrom('X-A: b', 'x-fold: a\r\n  b', 'Y:', 'Set-Cookie: a=b; c')),
  body: text,
  framing: fc.constantFrom('length', 'chunked', 'none'),
  chunks: fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 3 }),
  lineEnd: fc.constantFrom('\r\n', '\n'),
});
const turn: fc.Arbitrary<Turn> = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'M-SEARCH'),
  request: message,
  interim: fc.array(fc.constantFrom(100, 102, 103), { maxLength: 2 }),
  status: fc.constantFrom(200, 204, 304, 401, 500),
  response: message,
});

function written(startLine: string, { head, body, framing, chunks, lineEnd }: Message): string {
  const lines = [startLine, ...head];
  if (framing === 'length') lines.push(`Content-Length: ${body.length}`);
  if (framing === 'chunked') lines.push('Transfer-Encoding: chunked');
  const whole = `${lines.join(lineEnd)}${lineEnd}${lineEnd}`;
  if (framing === 'none') return whole;
  return whole + (framing === 'length' ? body : inHttpChunks(body, chunks, lineEnd));
}

function inHttpChunks(body: string, sizes: readonly number[], lineEnd: string): string {
  let coded = '';
  for (let at = 0, i = 0; at < body.length; i++) {
    const part = body.slice(at, at + (sizes[i % sizes.length] ?? 1));
    coded += `${part.length.toString(16)};ext${lineEnd}${part}${lineEnd}`;
    at += part.length;
  }
  return `${coded}0${lineEnd}X-Trailer: t${lineEnd}${lineEnd}`;
}

function hasBody(method: string, status: number): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 304;
}

/** A body that nothing announces ends with the connection, so only the last one has it. */
function answered({ method, status, interim, response }: Turn): string {
  const framed = {
    ...response,
    framing: response.framing === 'none' ? 'length' : response.framing,
  } as const;
  const whole = written(`HTTP/1.1 ${status} Reason: x`, framed);
  const head = written(`HTTP/1.1 ${status}`, { ...framed, body: '', framing: 'none' });
  const interims = interim.map((code) => `HTTP/1.1 ${code} Wait\r\nLink: x\r\n\r\n`).join('');
  return interims + (hasBody(method, status) ? whole : head);
}

describe('generated HTTP/1 conversations', () => {
  const sizes = fc.array(
    fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 300 })),
    {
      minLength: 1,
      maxLength: 8,
    },
  );

  test('are read as they were written, however the bytes are cut and requests pipelined', () => {
    fc.assert(
      fc.property(
        fc.array(turn, { maxLength: 6 }),
        fc.boolean(),
        sizes,
        (turns, isPipelined, cut) => {
          const requests = turns.map((each, i) =>
            bytesOf(written(`${each.method} /${i} HTTP/1.1`, each.request)),
          );
          const answers = turns.map((each) => bytesOf(answered(each)));
          const passed: Transmission[] = requests.flatMap((bytes, i) => [
            { from: 'client', bytes },
            { from: 'server', bytes: answers[i] ?? bytes },
          ]);
          if (isPipelined) passed.sort((a, b) => a.from.localeCompare(b.from));
          const recorder = record('http/1.1');
          replay(recorder.observer, inChunks(passed, cut));
          expect(recorder.givenUp).toEqual([]);
          expect(recorder.exchanges.map(summary)).toEqual(
            turns.map(({ method, request, status, response }, i) => {
              const asked = request.framing === 'none' ? '' : request.body;
              const got = hasBody(method, status) ? response.body : '';
              return `${method} /${i} [${asked}] -> ${status} [${got}]`;
            }),
          );
        },
      ),
    );
  });

  test('give the same exchanges when they are cut in any place, damaged or not', () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 });
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 4 }), damage, sizes, (turns, damages, cut) => {
        const passed: Transmission[] = turns.flatMap((each, i) => [
          {
            from: 'client',
            bytes: bytesOf(written(`${each.method} /${i} HTTP/1.1`, each.request)),
          },
          { from: 'server', bytes: bytesOf(answered(each)) },
        ]);
        for (const [at, value] of damages) {
          const bytes = passed[at % Math.max(1, passed.length)]?.bytes;
          if (bytes) bytes[at % bytes.length] = value;
        }
        const whole = record('http/1.1');
        replay(whole.observer, passed);
        const cutUp = record('http/1.1');
        replay(cutUp.observer, inChunks(passed, cut));
        expect(cutUp.exchanges.map(plain)).toEqual(whole.exchanges.map(plain));
        expect(cutUp.givenUp).toEqual(whole.givenUp);
      }),
    );
  });
});
