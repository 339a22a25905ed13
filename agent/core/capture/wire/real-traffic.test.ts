import { once } from 'node:events';
import { Agent, createServer as createHttpServer, request } from 'node:http';
import * as http2 from 'node:http2';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import type { ObservedExchange } from './exchange.ts';
import { damage, storedBytes } from './testing/damage.ts';
import { inChunks, replay } from './testing/conversation.ts';
import { createHttp1Server, send } from '#test/support/real-traffic/http1-exchange.ts';
import { echo, closeOf, exchange } from '#test/support/real-traffic/http2-exchange.ts';
import { inflateAll } from '#test/support/real-traffic/inflate-messages.ts';
import { bodyOf, setUpRelay, valueOf } from '#test/support/real-traffic/observed-relay.ts';
import { plain, record, type Recorder } from './testing/recorder.ts';
import { webSocketFrame } from './testing/websocket-frame.ts';

const { recorded, listen, startRelay, allOf, only } = setUpRelay();

/** Returns the index of a request in an HTTP/2 connection: clients number streams 1, 3, 5. */
const indexOf = ({ id }: ObservedExchange): number => (id - 1) / 2;

describe('HTTP/1 of Node', () => {
  const server = createHttp1Server();

  test('is observed as client and server see it, on kept-alive connections', async () => {
    const relay = await startRelay('http/1.1', await listen(server));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const large = 'l\u00e4rge'.repeat(30_000);
    const requests: Parameters<typeof send>[2][] = [
      { path: '/echo', method: 'POST', body: ['one', 'two', large] },
      { path: '/echo', method: 'POST', headers: { 'content-length': '3' }, body: ['abc'] },
      { path: '/echo', method: 'HEAD' },
      { path: '/events' },
      { path: '/gzip' },
      { path: '/none', method: 'DELETE' },
      { path: '/hints' },
      {
        path: '/echo',
        method: 'PUT',
        headers: { expect: '100-continue', 'content-length': '2' },
        body: ['ok'],
      },
      { path: '/close' },
    ];
    const responses = await Promise.all(requests.map((one) => send(relay.port, agent, one)));
    agent.destroy();
    const connections = await allOf(relay);
    expect(connections.length).toBeLessThan(4);
    const exchanges = connections.flatMap((connection) => connection.exchanges);

    expect(
      exchanges.map(
        ({ method, target, request: { complete }, request: sent, status, response, aborted }) => ({
          request: `${method} ${target}`,
          sent: bodyOf(sent),
          status,
          body: bodyOf(response),
          complete: complete && response?.complete,
          aborted,
        }),
      ),
    ).toEqual(
      requests.map(({ path, method = 'GET', body = [] }, i) => ({
        request: `${method} ${path}`,
        sent: body.join(''),
        status: responses[i]?.status,
        body: responses[i]?.body,
        complete: true,
        aborted: false,
      })),
    );
    for (const [i, { response }] of exchanges.entries()) {
      const { headers = {}, trailers = {} } = responses[i] ?? {};
      for (const [name, value] of Object.entries({ ...headers, ...trailers }))
        expect(valueOf(response?.headers, name)).toBe(value);
    }
    expect(exchanges.every(({ authority }) => authority === `127.0.0.1:${relay.port}`)).toBe(true);
    for (const exchange of exchanges) exchange.release();
    for (const { budget } of connections) expect(budget.held()).toBe(0);
  });

  test('is observed if the response comes before the request is complete', async () => {
    const relay = await startRelay('http/1.1', await listen(server));
    const outgoing = request({ port: relay.port, path: '/too-large', method: 'POST' });
    outgoing.on('error', () => undefined);
    outgoing.write('beginning');
    const [incoming] = await once(outgoing, 'response');
    incoming.resume();
    await once(incoming, 'end');
    outgoing.destroy();
    const { exchanges } = await only(relay);
    expect(exchanges).toMatchObject([
      { status: 413, aborted: true, request: { complete: false }, response: { complete: true } },
    ]);
    expect(exchanges.map(({ response }) => bodyOf(response))).toEqual(['too large']);
  });
});

describe('HTTP/2 of Node', () => {
  interface Settings {
    client?: http2.ClientSessionOptions;
    server?: http2.ServerOptions;
  }

  async function open({ client, server: serverOptions }: Settings = {}) {
    const server = http2.createServer(serverOptions ?? {});
    server.on('stream', echo);
    const relay = await startRelay('h2', await listen(server));
    const session = http2.connect(`http://127.0.0.1:${relay.port}`, client);
    await once(session, 'connect');
    return { relay, session };
  }

  const settingsOf = (headerTableSize: number): Settings => ({
    client: { settings: { headerTableSize } },
    server: { settings: { headerTableSize } },
  });

  test.each<[string, Settings]>([
    ['the default header tables', {}],
    ['no header tables', settingsOf(0)],
    ['small header tables', settingsOf(200)],
    ['large header tables', settingsOf(65_536)],
    [
      'padding',
      {
        client: { paddingStrategy: http2.constants.PADDING_STRATEGY_MAX },
        server: { paddingStrategy: http2.constants.PADDING_STRATEGY_MAX },
      },
    ],
  ])('is observed as client and server see it, with %s', async (_, settings) => {
    const { relay, session } = await open(settings);
    const requests = Array.from({ length: 300 }, (__, i) => ({
      headers: {
        ':path': `/${i}${'?'.repeat(i % 7)}`,
        'x-same': 'the same value in all requests',
        'x-few': `one of few values ${i % 5}`,
        'x-own': `a value of its own ${i * 7919}`,
        'x-long': String.fromCharCode(97 + (i % 26)).repeat((i * 37) % 1500),
        cookie: `a=${i}; b=2; c=${i % 3}`,
        [http2.sensitiveHeaders]: ['x-own'],
      },
      body: `body ${i} \u00ff`.repeat((i * i) % 700),
    }));
    const responses = await Promise.all(
      requests.map(({ headers, body }) => exchange(session, headers, body)),
    );
    session.close();
    await once(session, 'close');
    const { exchanges, budget } = await only(relay);
    expect(exchanges).toHaveLength(requests.length);
    for (const seen of exchanges.toSorted((a, b) => a.id - b.id)) {
      const { headers, body } = requests[indexOf(seen)] ?? { headers: {}, body: '' };
      const received = responses[indexOf(seen)];
      expect(seen).toMatchObject({
        protocol: 'h2',
        method: 'POST',
        target: headers[':path'],
        status: 200,
      });
      expect(seen).toMatchObject({ aborted: false, authority: `127.0.0.1:${relay.port}` });
      expect(bodyOf(seen.request)).toBe(body);
      expect(bodyOf(seen.response)).toBe(body);
      for (const name of ['x-same', 'x-few', 'x-own', 'x-long', 'cookie'] as const) {
        expect(valueOf(seen.request.headers, name)).toBe(headers[name]);
        expect(valueOf(seen.response?.headers, name)).toBe(received?.headers[name]);
      }
      expect(valueOf(seen.response?.headers, 'x-trailer')).toBe(received?.trailers['x-trailer']);
      seen.release();
    }
    expect(budget.held()).toBe(0);
  });

  test('is observed with headers of every length and byte, in several frames', async () => {
    const { relay, session } = await open();
    const characters = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).filter(
      (c) => /[\t\u0020-\u007e\u0080-\u00ff]/.test(c),
    );
    const requests: http2.OutgoingHttpHeaders[] = [
      // Next to short codes, even a character with a long one makes the Huffman form shorter.
      ...characters.map((c) => ({
        ':path': '/',
        'x-a': `a${`${c}aaaaaaaaaaaaaaaaaaaa`.repeat(3)}`,
      })),
      // Random hexadecimal digits barely compress, so these blocks need CONTINUATION frames.
      ...[16_000, 30_000, 50_000].map((length) => ({
        ':path': '/',
        'x-a': Array.from(
          { length },
          (_, i) => '0123456789abcdefXYZ{|}~'[(i * i * 7919 + i) % 23],
        ).join(''),
      })),
    ];
    const responses = await Promise.all(requests.map((headers) => exchange(session, headers)));
    session.close();
    const { exchanges } = await only(relay);
    for (const seen of exchanges) {
      expect(valueOf(seen.request.headers, 'x-a')).toBe(requests[indexOf(seen)]?.['x-a']);
      expect(valueOf(seen.response?.headers, 'x-a')).toBe(responses[indexOf(seen)]?.headers['x-a']);
    }
    expect(exchanges).toHaveLength(requests.length);
  });

  test('is observed with resets, pushes, interim responses and a sudden end', async () => {
    const { relay, session } = await open();
    session.on('stream', (pushed) => pushed.resume());
    const refused = session.request({ ':path': '/refused', ':method': 'POST' });
    refused.on('error', () => undefined);
    await closeOf(refused);
    const cancelled = session.request({ ':path': '/cancelled', ':method': 'POST' });
    cancelled.write('some');
    await once(cancelled, 'data');
    cancelled.close(http2.constants.NGHTTP2_CANCEL);
    await closeOf(cancelled);
    for (const path of ['/push', '/hints', '/push']) {
      const { headers } = await exchange(session, { ':path': path, 'x-a': path.repeat(20) }, path);
      expect(headers['x-a']).toBe(path.repeat(20));
    }
    const never = session.request({ ':path': '/never', ':method': 'GET' });
    never.on('error', () => undefined);
    await new Promise<void>((resolve) => session.ping(() => resolve()));
    session.destroy();
    const { exchanges } = await only(relay);
    expect(
      exchanges.map(({ target, status, response, aborted }) => [
        target,
        status,
        bodyOf(response),
        aborted,
      ]),
    ).toEqual([
      ['/refused', null, '', true],
      ['/cancelled', 200, 'some', true],
      ['/push', 200, '/push', false],
      ['/hints', 200, '/hints', false],
      ['/push', 200, '/push', false],
      ['/never', null, '', true],
    ]);
    expect(valueOf(exchanges[4]?.response?.headers, 'x-a')).toBe('/push'.repeat(20));
  });

  test('is observed as a WebSocket (RFC 8441)', async () => {
    const { relay, session } = await open({
      server: { settings: { enableConnectProtocol: true } },
    });
    if (!session.remoteSettings.enableConnectProtocol) await once(session, 'remoteSettings');
    const stream = session.request({
      ':method': 'CONNECT',
      ':protocol': 'websocket',
      ':path': '/chat',
    });
    await once(stream, 'response');
    stream.write(webSocketFrame({ opcode: 1, payload: Buffer.from('hello') }));
    await once(stream, 'data');
    stream.end();
    stream.resume();
    await once(stream, 'close');
    session.close();
    const { exchanges } = await only(relay);
    expect(exchanges.map(plain)).toMatchObject([
      {
        protocol: 'websocket',
        target: '/chat',
        webSocket: {
          messages: [
            { from: 'client', bytes: 'hello' },
            { from: 'server', bytes: 'hello' },
          ],
        },
      },
    ]);
  });
});

describe('WebSockets of ws', () => {
  test.each([
    ['plain', false as const],
    ['compressed', { threshold: 0 }],
  ])('are observed as both sides see them, %s', async (_, perMessageDeflate) => {
    const http = createHttpServer();
    const port = await listen(http);
    const sockets = new WebSocketServer({ server: http, perMessageDeflate });
    sockets.on('connection', (socket) => {
      socket.on('message', (message: RawData, isBinary) =>
        socket.send(message, { binary: isBinary }),
      );
    });
    const relay = await startRelay('http/1.1', port);
    const socket = new WebSocket(`ws://127.0.0.1:${relay.port}/chat`, { perMessageDeflate });
    await once(socket, 'open');
    const sent = Array.from({ length: 250 }, (__, i) =>
      i % 3 === 0 ? Buffer.alloc((i * i * 7) % 9000, i) : `message ${i} `.repeat(i % 40),
    );
    const echoed: Buffer[] = [];
    const all = new Promise<void>((resolve) => {
      socket.on('message', (message: Buffer) => {
        if (echoed.push(message) === sent.length + 1) resolve();
      });
    });
    for (const [i, message] of sent.entries()) {
      if (i % 50 === 0) socket.ping('ping');
      socket.send(message);
    }
    socket.send('in ', { fin: false });
    socket.send('fragments', { fin: true });
    await all;
    socket.close();
    await once(socket, 'close');

    const { exchanges, budget } = await only(relay);
    const pieces = exchanges.map(({ webSocket }) => webSocket);
    expect(pieces.map((piece) => [piece?.piece, piece?.last])).toEqual(
      pieces.map((__, i) => [i, i === pieces.length - 1]),
    );
    expect(pieces.length).toBeGreaterThan(2);
    expect(exchanges.at(-1)).toMatchObject({ aborted: false, target: '/chat', status: 101 });
    const messages = pieces.flatMap((piece) => piece?.messages ?? []);
    const expected = [...sent.map((message) => Buffer.from(message)), Buffer.from('in fragments')];
    for (const side of ['client', 'server'] as const) {
      const seen = messages.filter(({ from }) => from === side);
      expect(seen.some(({ compressed }) => compressed)).toBe(perMessageDeflate !== false);
      expect(seen.map(({ opcode }) => opcode)).toEqual([
        ...sent.map((message) => (typeof message === 'string' ? 'text' : 'binary')),
        'text',
      ]);
      const texts = await inflateAll(seen);
      expect(texts.map((text, i) => text.equals(expected[i] ?? Buffer.from('none')))).toEqual(
        expected.map(() => true),
      );
    }
    for (const exchange of exchanges) exchange.release();
    expect(budget.held()).toBe(0);
  });
});

describe('recorded traffic', () => {
  afterAll(() => recorded.splice(0));

  const conversation = fc.nat().map((n) => {
    const chosen = recorded[n % recorded.length];
    if (!chosen) throw new Error('nothing was recorded');
    return chosen;
  });
  const sizes = fc.array(
    fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 5000 })),
    { minLength: 1, maxLength: 10 },
  );

  function comparable({ exchanges, givenUp }: Recorder) {
    return { exchanges: exchanges.map(plain), givenUp };
  }

  test('covers all kinds', () => expect(recorded.length).toBeGreaterThan(9));

  test('results in the same exchanges in any chunks', () => {
    fc.assert(
      fc.property(conversation, sizes, (original, cut) => {
        const again = record(original.alpn);
        replay(again.observer, inChunks(original.passed, cut));
        expect(comparable(again)).toEqual(comparable(original));
      }),
      { numRuns: 30 },
    );
  });

  test('is harmless when damaged, truncated or out of order, and stays within the budget', () => {
    const edit = fc.record({
      at: fc.nat(),
      from: fc.nat(),
      kind: fc.constantFrom('change', 'drop', 'repeat', 'swap'),
      value: fc.nat(255),
    });
    const most = 300_000;
    fc.assert(
      fc.property(
        conversation,
        fc.array(edit, { minLength: 1, maxLength: 5 }),
        sizes,
        (original, edits, cut) => {
          const passed = original.passed.map(({ from, bytes }) => ({ from, bytes: bytes.slice() }));
          for (const { at, kind, value, from } of edits) damage(passed, { at, from, kind, value });
          const { observer, exchanges, givenUp, budget } = record(original.alpn, {
            most,
            maxBodyBytes: 5000,
          });
          replay(observer, inChunks(passed, cut));
          expect(givenUp.length).toBeLessThanOrEqual(1);
          expect(budget.held()).toBeLessThanOrEqual(most);
          for (const exchange of exchanges) {
            expect(storedBytes(exchange)).toBeLessThanOrEqual(most);
            exchange.release();
          }
          expect(budget.held()).toBe(0);
        },
      ),
      { numRuns: 100 },
    );
  });
});
