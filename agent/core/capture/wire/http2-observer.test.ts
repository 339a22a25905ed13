import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ObservedExchange } from './exchange.ts';
import {
  client,
  concatenated,
  inChunks,
  replay,
  server,
  type Transmission,
} from './testing/conversation.ts';
import {
  block,
  data,
  END_HEADERS,
  END_STREAM,
  frame,
  goAway,
  headers,
  PADDED,
  preface,
  PRIORITY,
  resetStream,
  settings,
} from './testing/http2-writer.ts';
import { bytesOf, plain, record, type Recorder, textOf } from './testing/recorder.ts';
import { webSocketFrame } from './testing/websocket-frame.ts';

const greetings = [client(preface, settings()), server(settings(), frame(4, 1, 0))];

function observe(
  passed: readonly Transmission[],
  options?: Parameters<typeof record>[1],
): Recorder {
  const recorder = record('h2', options);
  replay(recorder.observer, [...greetings, ...passed]);
  return recorder;
}

const get = { ':method': 'GET', ':scheme': 'https', ':authority': 'a', ':path': '/' };
const post = { ...get, ':method': 'POST' };
const ok = { ':status': '200' };

function summary({ method, target, request, status, response, aborted }: ObservedExchange): string {
  const text = (parts: readonly Uint8Array[] = []) => parts.map(textOf).join('');
  const requestText = `${method} ${target} [${text(request.beginning)}]${request.complete ? '' : '…'}`;
  const responseText = response
    ? `${status} [${text(response.beginning)}]${response.complete ? '' : '…'}`
    : 'nothing';
  return `${requestText} -> ${responseText}${aborted ? ' aborted' : ''}`;
}

const answer = server(headers(1, ok, END_STREAM));

describe('HTTP/2 exchanges', () => {
  test.each<[string, Transmission[], string[]]>([
    [
      'bodies in parts, streams interleaved',
      [
        client(
          headers(1, post),
          headers(3, get, END_STREAM),
          data(1, 'a'),
          data(1, ''),
          data(1, 'b', END_STREAM),
        ),
        server(
          headers(3, ok),
          headers(1, { ':status': '201' }),
          data(1, 'c'),
          data(3, 'd', END_STREAM),
        ),
        server(data(1, '', END_STREAM)),
      ],
      ['GET / [] -> 200 [d]', 'POST / [ab] -> 201 [c]'],
    ],
    [
      'padding and priority',
      [
        client(
          frame(
            1,
            PADDED | PRIORITY | END_HEADERS,
            1,
            concatenated([Uint8Array.of(3, 0, 0, 0, 0, 9), block(post), bytesOf('xyz')]),
          ),
          frame(0, PADDED, 1, bytesOf('\u0002abxy')),
          frame(0, PADDED | END_STREAM, 1, bytesOf('\u0001x')),
        ),
        server(frame(1, PADDED | END_HEADERS, 1, concatenated([Uint8Array.of(0), block(ok)]))),
        server(frame(0, PADDED | END_STREAM, 1, bytesOf('\0cd'))),
      ],
      ['POST / [ab] -> 200 [cd]'],
    ],
    [
      'header blocks in several frames',
      [
        client(
          frame(1, END_STREAM, 1, block(get).subarray(0, 5)),
          frame(9, 0, 1, block(get).subarray(5, 20)),
          frame(9, 0, 1),
          frame(9, END_HEADERS, 1, block(get).subarray(20)),
        ),
        answer,
      ],
      ['GET / [] -> 200 []'],
    ],
    [
      'interim answers and trailers',
      [
        client(headers(1, post), data(1, 'a'), headers(1, { 'x-sum': '1' }, END_STREAM)),
        server(headers(1, { ':status': '103', link: 'x' }), headers(1, ok), data(1, 'b')),
        server(headers(1, { 'grpc-status': '0' }, END_STREAM)),
      ],
      ['POST / [a] -> 200 [b]'],
    ],
    [
      'frames that mean nothing here',
      [
        client(
          headers(1, get, END_STREAM),
          frame(2, 0, 1, new Uint8Array(5)),
          frame(6, 0, 0, new Uint8Array(8)),
        ),
        server(
          frame(8, 0, 0, new Uint8Array(4)),
          frame(200, 255, 1, bytesOf('unknown')),
          frame(10, 0, 0),
        ),
        answer,
      ],
      ['GET / [] -> 200 []'],
    ],
    [
      'resets by either side',
      [
        client(headers(1, post), headers(3, get, END_STREAM), headers(5, post), data(1, 'a')),
        server(headers(3, ok), data(3, 'b'), headers(5, ok, END_STREAM), resetStream(5, 0)),
        client(resetStream(1), data(5, 'late', END_STREAM)),
        server(headers(1, ok, END_STREAM), resetStream(3), data(3, 'late')),
      ],
      [
        'POST / []… -> 200 [] aborted',
        'POST / [a]… -> nothing aborted',
        'GET / [] -> 200 [b]… aborted',
      ],
    ],
    [
      'a server that goes away',
      [client(headers(1, get, END_STREAM), headers(3, get, END_STREAM)), server(goAway(1)), answer],
      ['GET / [] -> nothing aborted', 'GET / [] -> 200 []'],
    ],
    [
      'a client that goes away',
      [client(headers(1, get, END_STREAM), goAway(0)), answer],
      ['GET / [] -> 200 []'],
    ],
    [
      'an answer before the request is complete',
      [client(headers(1, post)), answer, client(data(1, 'a', END_STREAM))],
      ['POST / [a] -> 200 []'],
    ],
    [
      'the end of the connection',
      [client(headers(1, get, END_STREAM)), server(headers(1, ok), data(1, 'a'))],
      ['GET / [] -> 200 [a]… aborted'],
    ],
    [
      'a tunnel',
      [
        client(headers(1, { ':method': 'CONNECT', ':authority': 'b:443' })),
        server(headers(1, ok)),
        client(data(1, 'x', END_STREAM)),
        server(data(1, 'y', END_STREAM)),
      ],
      ['CONNECT b:443 [x] -> 200 [y]'],
    ],
  ])('%s', (_, passed, expected) => {
    const { exchanges, givenUp, budget } = observe(passed);
    expect(givenUp).toEqual([]);
    expect(exchanges.map(summary)).toEqual(expected);
    for (const exchange of exchanges) exchange.release();
    expect(budget.held()).toBe(0);
  });

  test('have their headers, trailers last, with joined cookies and without pseudo headers', () => {
    const { exchanges } = observe([
      client(
        headers(1, [
          ...Object.entries(post),
          ['cookie', 'a=1'],
          ['X-A', 'x'],
          ['cookie', 'b=2'],
          ['cookie', 'c=3'],
        ]),
        headers(1, { 'x-sum': '1' }, END_STREAM),
      ),
      server(
        headers(1, { ...ok, 'set-cookie': 'd=4' }),
        headers(1, { 'grpc-status': '0' }, END_STREAM),
      ),
    ]);
    expect(exchanges.map(plain)).toMatchObject([
      {
        id: 1,
        protocol: 'h2',
        method: 'POST',
        target: '/',
        authority: 'a',
        status: 200,
        endedAt: 1000,
        request: {
          headers: [
            ['cookie', 'a=1; b=2; c=3'],
            ['x-a', 'x'],
            ['x-sum', '1'],
          ],
        },
        response: {
          headers: [
            ['set-cookie', 'd=4'],
            ['grpc-status', '0'],
          ],
        },
        aborted: false,
        webSocket: null,
      },
    ]);
  });

  test('have their authority from Host if there is no other', () => {
    const head = [
      [':method', 'GET'],
      [':path', '/'],
      ['host', 'b'],
    ] as const;
    const withEmpty = [...head, [':authority', '']] as const;
    for (const block of [head, withEmpty])
      expect(observe([client(headers(1, block))]).exchanges).toMatchObject([{ authority: 'b' }]);
  });

  test('have no authority that could be one of several', () => {
    const head = [
      [':method', 'GET'],
      [':authority', 'a'],
      [':path', '/'],
      ['host', 'b'],
    ] as const;
    expect(observe([client(headers(1, head))]).exchanges).toMatchObject([{ authority: '' }]);
  });

  test('keep the header tables correct with pushed, unknown and unobserved streams', () => {
    const indexed = (name: string, value: string) =>
      concatenated([Uint8Array.of(0x40), block({ [name]: value }).subarray(1)]);
    const third = Uint8Array.of(0x80 | 64); // the third newest field
    const { exchanges, givenUp } = observe([
      client(headers(1, get, END_STREAM)),
      server(
        frame(
          5,
          PADDED,
          1,
          concatenated([Uint8Array.of(1, 0, 0, 0, 2), indexed('x-a', '1'), Uint8Array.of(9)]),
        ),
        frame(9, END_HEADERS, 1, indexed('x-b', '2')),
        frame(1, END_HEADERS, 2, concatenated([block(ok), indexed('x-c', '3')])),
        data(2, 'pushed', END_STREAM),
        frame(1, END_HEADERS | END_STREAM, 1, concatenated([block(ok), third])),
      ),
    ]);
    expect(givenUp).toEqual([]);
    expect(exchanges.map(({ response }) => response?.headers)).toEqual([[['x-a', '1']]]);
  });

  test('are observed for the first 1,000 concurrent streams', () => {
    const ids = Array.from({ length: 1002 }, (_, i) => 2 * i + 1);
    const requests = ids.map((id) => headers(id, { ...post, ':path': `/${id}` }));
    const over = [2001, 2003].map((id) => data(id, 'left out', END_STREAM));
    const { exchanges, excluded, givenUp } = observe([
      client(...requests, ...over),
      server(headers(2001, ok, END_STREAM), headers(2003, ok), resetStream(2003)),
      client(data(1, '', END_STREAM)),
      answer,
      client(headers(2005, { ...get, ':path': '/again' }, END_STREAM)),
      server(headers(2005, ok, END_STREAM)),
    ]);
    expect(givenUp).toEqual([]);
    expect(excluded).toEqual(['streams', 'streams']);
    expect(exchanges.slice(0, 2).map(summary)).toEqual([
      'POST /1 [] -> 200 []',
      'GET /again [] -> 200 []',
    ]);
    expect(exchanges).toHaveLength(1001);
  });

  test('may be WebSockets (RFC 8441)', () => {
    const connect = { ...get, ':method': 'CONNECT', ':path': '/chat', ':protocol': 'websocket' };
    const hello = webSocketFrame({ opcode: 1, payload: bytesOf('hello'), key: [1, 2, 3, 4] });
    const closing = webSocketFrame({ opcode: 8, payload: new Uint8Array() });
    const { exchanges, givenUp } = observe([
      client(headers(1, connect), headers(3, connect)),
      server(headers(1, ok), headers(3, { ':status': '403' }), data(3, 'no', END_STREAM)),
      client(data(1, textOf(hello.subarray(0, 3))), data(1, textOf(hello.subarray(3)))),
      client(data(3, '', END_STREAM), data(1, textOf(closing), END_STREAM)),
      server(data(1, textOf(closing), END_STREAM)),
    ]);
    expect(givenUp).toEqual([]);
    expect(exchanges.map(plain)).toMatchObject([
      { protocol: 'h2', target: '/chat', status: 403, response: { text: 'no' }, webSocket: null },
      {
        protocol: 'websocket',
        method: 'CONNECT',
        target: '/chat',
        status: 200,
        aborted: false,
        request: { complete: true },
        response: { complete: true },
        webSocket: { last: true, messages: [{ from: 'client', bytes: 'hello' }] },
      },
    ]);
  });
});

describe('header tables', () => {
  const resized = concatenated([Uint8Array.of(0x3f, 0xe1, 0x3f), block(ok)]); // to 8,192

  test('of responses are as large as the client allows', () => {
    const { givenUp } = observe([
      client(settings({ 1: 8192 }), headers(1, get, END_STREAM)),
      server(frame(1, END_HEADERS | END_STREAM, 1, resized)),
    ]);
    expect(givenUp).toEqual([]);
  });

  test('of responses are not as large as the server announces', () => {
    const { givenUp } = observe([
      client(headers(1, get, END_STREAM)),
      server(settings({ 1: 8192 }), frame(1, END_HEADERS | END_STREAM, 1, resized)),
    ]);
    expect(givenUp).toEqual(['a header table larger than allowed']);
  });
});

describe('HTTP/2 in any chunks', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 8 });
  const stream = fc.record({
    id: fc.integer({ min: 0, max: 20 }).map((n) => 2 * n + 1),
    body: fc.string({ maxLength: 40 }),
    pad: fc.option(fc.nat(20)),
    status: fc.constantFrom('200', '404'),
  });
  const streams = fc.uniqueArray(stream, { selector: ({ id }) => id });

  test('results in the exchanges that were written', () => {
    const written = (id: number, text: string, pad: number | null) =>
      pad === null
        ? data(id, text, END_STREAM)
        : frame(
            0,
            PADDED | END_STREAM,
            id,
            bytesOf(`${String.fromCharCode(pad)}${text}${'p'.repeat(pad)}`),
          );
    fc.assert(
      fc.property(streams, sizes, (chosen, cut) => {
        const ordered = chosen.toSorted((a, b) => a.id - b.id);
        const passed = [
          ...greetings,
          client(...ordered.map(({ id }) => headers(id, { ...post, ':path': `/${id}` }))),
          client(...chosen.map(({ id, body, pad }) => written(id, body, pad))),
          server(...chosen.map(({ id, status }) => headers(id, { ':status': status }))),
          server(...chosen.map(({ id, body, pad }) => written(id, body, pad))),
        ];
        const { observer, exchanges, givenUp } = record('h2');
        replay(observer, inChunks(passed, cut));
        expect(givenUp).toEqual([]);
        expect(exchanges.map(summary)).toEqual(
          chosen.map(({ id, body, status }) => `POST /${id} [${body}] -> ${status} [${body}]`),
        );
      }),
    );
  });
});
