import { describe, expect, test } from 'vitest';
import { createCopyBudget } from './copy-budget.ts';
import { createConnectionObserver } from './connection-observer.ts';
import { data, END_STREAM, headers, preface, settings } from './testing/http2-writer.ts';
import { concatenated, type Transmission, replay } from './testing/conversation.ts';
import { bytesOf, plain, record } from './testing/recorder.ts';
import { webSocketFrame } from './testing/websocket-frame.ts';

function client(text: string): Transmission {
  return { from: 'client', bytes: bytesOf(text) };
}

function server(text: string): Transmission {
  return { from: 'server', bytes: bytesOf(text) };
}

const get = client('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
const post = client('POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nbeginning');
const empty = server('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
const begun = server('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nbeginning');
const nonsense = server('nonsense\n');
const upgrade = [
  get,
  server('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n'),
  { from: 'server', bytes: webSocketFrame({ opcode: 1, payload: bytesOf('message') }) },
  {
    from: 'client',
    bytes: webSocketFrame({ opcode: 1, payload: bytesOf('part'), isFinal: false }),
  },
] as const;

describe('the protocol', () => {
  const h2 = concatenated([
    preface,
    settings(),
    headers(1, { ':method': 'GET', ':path': '/' }, END_STREAM),
  ]);

  test.each<['h2' | 'http/1.1' | null, Transmission, string[], string[]]>([
    ['h2', { from: 'client', bytes: h2 }, ['h2'], []],
    ['http/1.1', get, ['http/1.1'], []],
    [null, get, ['http/1.1'], []],
    ['h2', get, [], ['no HTTP/2 connection preface']],
    [null, { from: 'client', bytes: h2 }, [], ['not a request line of HTTP/1']],
  ])('is the one negotiated by ALPN: %s', (alpn, passed, protocols, reasons) => {
    const { observer, exchanges, givenUp } = record(alpn);
    replay(observer, [passed]);
    expect(exchanges.map(({ protocol }) => protocol)).toEqual(protocols);
    expect(givenUp).toEqual(reasons);
  });
});

describe('the end of a connection', () => {
  test('requires the end of both sides', () => {
    const { observer, exchanges, givenUp } = record(null);
    observer.fromClient(get.bytes);
    observer.clientEnded();
    observer.clientEnded();
    expect(exchanges).toEqual([]);
    observer.fromServer(empty.bytes);
    expect(exchanges).toMatchObject([{ aborted: false }]);
    observer.serverEnded();
    observer.serverEnded();
    observer.fromClient(nonsense.bytes);
    expect(exchanges).toHaveLength(1);
    expect(givenUp).toEqual([]);
  });
});

describe('an exception of the consumer', () => {
  test('never reaches the caller, and the exchanges are released', () => {
    const budget = createCopyBudget(1e6);
    const reasons: string[] = [];
    const observer = createConnectionObserver(null, {
      now: () => 0,
      maxBodyBytes: 1000,
      budget,
      onExchange: () => {
        throw new Error('the disk is full');
      },
      onExcluded: () => undefined,
      onGivenUp(reason) {
        reasons.push(reason);
        throw new Error('this one too');
      },
    });
    observer.fromClient(concatenated([get.bytes, get.bytes, post.bytes]));
    observer.fromServer(empty.bytes);
    expect(budget.held()).toBe(0);
    replay(observer, [get, empty, nonsense]);
    expect(reasons).toEqual(['the disk is full']);
  });
});

describe('stopCopying', () => {
  const http2 = [
    {
      from: 'client',
      bytes: concatenated([preface, settings(), headers(1, { ':method': 'GET' })]),
    },
    { from: 'client', bytes: data(1, 'beginning') },
  ] as const;

  test.each<['h2' | null, readonly Transmission[]]>([
    [null, [post, begun, get]],
    [null, upgrade],
    ['h2', http2],
  ])('discards all copies and delivers nothing more (%s, %#)', (alpn, passed) => {
    const { observer, exchanges, givenUp, excluded, budget } = record(alpn);
    for (const { from, bytes } of passed)
      if (from === 'client') observer.fromClient(bytes);
      else observer.fromServer(bytes);

    expect(budget.held()).toBeGreaterThan(0);
    observer.stopCopying();
    expect(budget.held()).toBe(0);
    observer.stopCopying();
    replay(observer, [...passed, nonsense]);
    expect([exchanges, givenUp, excluded]).toEqual([[], [], []]);
    expect(budget.held()).toBe(0);
  });

  test('does not release exchanges that the consumer has already received', () => {
    const { observer, exchanges, budget } = record(null);
    observer.fromClient(post.bytes);
    observer.fromServer(empty.bytes);
    observer.stopCopying();
    expect(budget.held()).toBeGreaterThan(0);
    exchanges[0]?.release();
    expect(budget.held()).toBe(0);
  });

  test.each([
    ['', () => undefined],
    [
      ', and then fails',
      () => {
        throw new Error('failed');
      },
    ],
  ])('takes effect within a chunk when the consumer calls it%s', (_, then) => {
    const budget = createCopyBudget(1e6);
    const seen: string[] = [];
    const observer = createConnectionObserver(null, {
      now: () => 0,
      maxBodyBytes: 1000,
      budget,
      onExchange(exchange) {
        seen.push(exchange.method);
        exchange.release();
        observer.stopCopying();
        then();
      },
      onExcluded: (reason) => seen.push(reason),
      onGivenUp: (reason) => seen.push(reason),
    });
    observer.fromClient(post.bytes.subarray(0, -1));
    observer.fromServer(empty.bytes);
    observer.fromClient(concatenated([bytesOf('g'), get.bytes, post.bytes]));
    observer.fromServer(nonsense.bytes);
    expect(seen).toEqual(['POST']);
    expect(budget.held()).toBe(0);
  });
});

describe('the budget for copies', () => {
  test('is not used by exchanges that are not observed, and later ones are observed', () => {
    const { observer, exchanges, excluded, givenUp, budget } = record(null, { most: 4700 });
    const head = client('HEAD /left-out HTTP/1.1\r\n\r\n');
    for (const { bytes } of [get, get, head]) observer.fromClient(bytes);
    expect(excluded).toEqual(['memory']);
    observer.fromServer(concatenated([empty.bytes, empty.bytes]));
    for (const exchange of exchanges) exchange.release();
    observer.fromServer(begun.bytes.subarray(0, -9));
    expect(budget.held()).toBe(0);
    replay(observer, [get, empty]);
    expect(exchanges.map(({ id, method }) => `${id} ${method}`)).toEqual([
      '0 GET',
      '1 GET',
      '3 GET',
    ]);
    expect(givenUp).toEqual([]);
  });

  test('is not used by the messages of a WebSocket that is not observed', () => {
    const { observer, exchanges, excluded, budget } = record(null, { most: 1000 });
    for (const { from, bytes } of upgrade)
      if (from === 'client') observer.fromClient(bytes);
      else observer.fromServer(bytes);

    expect(excluded).toEqual(['memory']);
    expect(budget.held()).toBe(0);
    observer.clientEnded();
    observer.serverEnded();
    expect(exchanges).toEqual([]);
  });

  test('truncates bodies and omits headers when it is exhausted', () => {
    const { observer, exchanges } = record(null, { most: 2600 });
    const many = `HTTP/1.1 200 OK\r\nA: ${'x'.repeat(2000)}\r\nContent-Length: 1\r\n\r\nx`;
    replay(observer, [post, server(many)]);
    expect(exchanges.map(plain)).toMatchObject([
      {
        request: { headers: [['content-length', '9']], text: 'beginning', truncated: false },
        status: 200,
        response: { headers: [], truncated: true, complete: true },
      },
    ]);
  });

  test('is used for a body only up to its limit', () => {
    const { observer, exchanges, budget } = record(null, { maxBodyBytes: 4 });
    replay(observer, [post, empty]);
    expect(exchanges.map(plain)).toMatchObject([
      { request: { text: 'begi', bytes: 9, truncated: true, complete: true } },
    ]);
    exchanges[0]?.release();
    expect(budget.held()).toBe(0);
  });

  test('may have another limit for requests', () => {
    const { observer, exchanges } = record(null, { maxBodyBytes: 2, maxRequestBytes: 4 });
    replay(observer, [post, server('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nyes')]);
    expect(exchanges.map(plain)).toMatchObject([
      { request: { text: 'begi' }, response: { text: 'ye', truncated: true } },
    ]);
  });
});
