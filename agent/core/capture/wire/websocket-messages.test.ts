import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ObserverOptions } from './exchange.ts';
import { concatenated, inChunks, type Transmission, replay } from './testing/conversation.ts';
import { bytesOf, plain, record, type Recorder, textOf } from './testing/recorder.ts';
import { webSocketFrame, type WrittenFrame } from './testing/websocket-frame.ts';

const upgrade: Transmission[] = [
  {
    from: 'client',
    bytes: bytesOf(
      'GET /chat HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n',
    ),
  },
  {
    from: 'server',
    bytes: bytesOf(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n',
    ),
  },
];

const key = [1, 2, 0xfe, 0xff] as const;

function client(opcode: number, payload: string, more: Partial<WrittenFrame> = {}): Transmission {
  return {
    from: 'client',
    bytes: webSocketFrame({ opcode, payload: bytesOf(payload), key, ...more }),
  };
}

function server(opcode: number, payload: string, more: Partial<WrittenFrame> = {}): Transmission {
  return { from: 'server', bytes: webSocketFrame({ opcode, payload: bytesOf(payload), ...more }) };
}

function observe(
  frames: readonly Transmission[],
  options?: Parameters<typeof record>[1],
): Recorder {
  const recorder = record('http/1.1', options);
  replay(recorder.observer, [...upgrade, ...frames]);
  return recorder;
}

/** Describes each message in a line, with its distinguishing facts. */
function messagesOf({ exchanges }: Recorder): string[] {
  return exchanges.flatMap(({ webSocket }) =>
    (webSocket?.messages ?? []).map(
      ({ from, opcode, compressed, truncated, bytes, size }) =>
        `${from} ${opcode}${compressed ? ' compressed' : ''}: ${textOf(bytes)}${truncated ? `… ${size}` : ''}`,
    ),
  );
}

const TEXT = 1;
const BINARY = 2;
const CONTINUATION = 0;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

describe('the messages of a WebSocket', () => {
  test.each<[string, Transmission[], string[]]>([
    [
      'of both sides, masked or not',
      [client(TEXT, 'hello'), server(BINARY, 'world'), client(TEXT, ''), server(TEXT, '')],
      ['client text: hello', 'server binary: world', 'client text: ', 'server text: '],
    ],
    [
      'joined from fragments, with control frames in between',
      [
        client(TEXT, 'one ', { isFinal: false }),
        server(TEXT, 'other'),
        client(PING, 'x'),
        client(CONTINUATION, '', { isFinal: false }),
        server(PONG, 'x'),
        client(CONTINUATION, 'two'),
      ],
      ['server text: other', 'client text: one two'],
    ],
    [
      'compressed, as their first frame says',
      [
        server(TEXT, 'a', { reserved: 4, isFinal: false }),
        server(CONTINUATION, 'b'),
        server(TEXT, 'c'),
      ],
      ['server text compressed: ab', 'server text: c'],
    ],
    [
      'of any length form',
      [
        server(TEXT, 'a'.repeat(125)),
        server(TEXT, 'b'.repeat(126)),
        client(TEXT, 'c'.repeat(65_536)),
        server(TEXT, 'd', { lengthForm: 127 }),
      ],
      [
        `server text: ${'a'.repeat(125)}`,
        `server text: ${'b'.repeat(126)}`,
        `client text: ${'c'.repeat(65_536)}`,
        'server text: d',
      ],
    ],
  ])('%s', (_, frames, expected) => {
    const recorder = observe(frames);
    expect(recorder.givenUp).toEqual([]);
    expect(messagesOf(recorder)).toEqual(expected);
  });

  test('belong to one exchange', () => {
    const { exchanges, budget } = observe([client(TEXT, 'a')]);
    expect(exchanges.map(plain)).toMatchObject([
      {
        protocol: 'websocket',
        method: 'GET',
        target: '/chat',
        status: 101,
        endedAt: 1000,
        aborted: true,
        request: { complete: true, bytes: 0 },
        response: { complete: true, bytes: 0 },
        webSocket: { piece: 0, last: true, messages: [{ from: 'client', size: 1, at: 1000 }] },
      },
    ]);
    for (const exchange of exchanges) exchange.release();
    expect(budget.held()).toBe(0);
  });

  test('end with Close from both sides, and only then cleanly', () => {
    const recorder = record('http/1.1');
    for (const { from, bytes } of [...upgrade, client(CLOSE, '\u0003\u00e8')])
      if (from === 'client') recorder.observer.fromClient(bytes);
      else recorder.observer.fromServer(bytes);

    expect(recorder.exchanges).toEqual([]);
    const last = server(CLOSE, '').bytes;
    const behind = [server(TEXT, 'ignored'), server(TEXT, 'begun', { isFinal: false })];
    const bytes = concatenated([last, ...behind.map((passed) => passed.bytes)]);
    recorder.observer.fromServer(bytes);
    expect(recorder.exchanges).toMatchObject([{ aborted: false, webSocket: { messages: [] } }]);
    recorder.exchanges[0]?.release();
    expect(recorder.budget.held()).toBe(0);
  });

  test('are no longer read after a violation of RFC 6455', () => {
    const cases: [Transmission, string][] = [
      [server(3, ''), 'an unknown WebSocket opcode'],
      [server(11, ''), 'an unknown WebSocket opcode'],
      [server(TEXT, '', { reserved: 2 }), 'an unknown WebSocket extension'],
      [server(CONTINUATION, 'a'), 'fragments out of order'],
      [
        {
          from: 'server',
          bytes: concatenated([
            server(TEXT, 'a', { isFinal: false }).bytes,
            server(CONTINUATION, 'b', { reserved: 4 }).bytes,
          ]),
        },
        'RSV1 in a continuation frame',
      ],
      [server(PING, '', { isFinal: false }), 'a malformed WebSocket control frame'],
      [server(PING, 'x'.repeat(126)), 'a malformed WebSocket control frame'],
      [
        { from: 'server', bytes: Uint8Array.of(0x81, 127, 255, 0, 0, 0, 0, 0, 0, 0) },
        'a WebSocket frame of invalid length',
      ],
    ];
    for (const [frame, reason] of cases) {
      const recorder = observe([client(TEXT, 'kept'), frame, client(TEXT, 'unseen')]);
      expect(recorder.givenUp).toEqual([reason]);
      expect(messagesOf(recorder)).toEqual(['client text: kept']);
      expect(recorder.exchanges).toMatchObject([{ endedAt: null, webSocket: { last: true } }]);
    }
    const interrupted = [server(TEXT, 'a', { isFinal: false }), server(TEXT, 'b')];
    expect(observe(interrupted).givenUp).toEqual(['fragments out of order']);
  });
});

describe('the pieces of a WebSocket', () => {
  function piecesOf({ exchanges }: Recorder) {
    return exchanges.map(({ id, endedAt, webSocket }) => ({
      id,
      isOpen: endedAt === null,
      piece: webSocket?.piece,
      last: webSocket?.last,
      messages: webSocket?.messages.length,
    }));
  }

  test('contain at most 200 messages', () => {
    const frames = Array.from({ length: 401 }, (_, i) => server(TEXT, `${i}`));
    const recorder = observe(frames);
    expect(piecesOf(recorder)).toEqual([
      { id: 0, isOpen: true, piece: 0, last: false, messages: 200 },
      { id: 0, isOpen: true, piece: 1, last: false, messages: 200 },
      { id: 0, isOpen: false, piece: 2, last: true, messages: 1 },
    ]);
    const [first, ...others] = recorder.exchanges;
    expect(others).toMatchObject(others.map(() => ({ request: first?.request, status: 101 })));
  });

  test('end at the first message after five minutes', () => {
    let clock = 0;
    const options: Partial<ObserverOptions> = { now: () => clock };
    const recorder = record('http/1.1', options);
    const { observer } = recorder;
    for (const { from, bytes } of upgrade)
      if (from === 'client') observer.fromClient(bytes);
      else observer.fromServer(bytes);

    for (const at of [1, 299_999, 300_000, 300_001, 600_000]) {
      clock = at;
      observer.fromServer(server(TEXT, 'x').bytes);
    }
    expect(piecesOf(recorder).map(({ messages }) => messages)).toEqual([3, 2]);
  });

  test('end when they contain as many bytes as a body may', () => {
    const frames = Array.from({ length: 5 }, () => server(TEXT, 'x'.repeat(60)));
    const recorder = observe(frames, { maxBodyBytes: 100 });
    expect(piecesOf(recorder).map(({ messages }) => messages)).toEqual([2, 2, 1]);
  });

  test('return their own share of the budget separately', () => {
    const frames = Array.from({ length: 201 }, () => server(TEXT, 'x'.repeat(1000)));
    const { exchanges, budget } = observe(frames);
    const held = budget.held();
    exchanges[0]?.release();
    expect(held - budget.held()).toBeGreaterThan(200_000);
    expect(budget.held()).toBeGreaterThan(2000);
    exchanges[1]?.release();
    exchanges[1]?.release();
    expect(budget.held()).toBe(0);
  });

  test('show that a message is too long or the budget is exhausted', () => {
    const tooLong = observe([server(TEXT, 'x'.repeat(20)), server(TEXT, 'y')], {
      maxBodyBytes: 10,
    });
    expect(messagesOf(tooLong)).toEqual([`server text: ${'x'.repeat(10)}… 20`, 'server text: y']);

    const frames = Array.from({ length: 9 }, (_, i) => client(TEXT, `${i}`.repeat(1000)));
    const short = observe(frames, { most: 6000 });
    expect(short.excluded).toEqual(['memory']);
    expect(piecesOf(short)).toMatchObject([{ isOpen: true, last: true }]);
    expect(messagesOf(short)[0]).toBe(`client text: ${'0'.repeat(1000)}`);
    for (const exchange of short.exchanges) exchange.release();
    expect(short.budget.held()).toBe(0);
  });
});

describe('a WebSocket in any chunks', () => {
  const frame = fc.record({
    from: fc.constantFrom('client', 'server'),
    opcode: fc.constantFrom(TEXT, BINARY, PING, PONG),
    payload: fc.oneof(
      fc.uint8Array({ maxLength: 20 }),
      fc.uint8Array({ minLength: 126, maxLength: 300 }),
    ),
    cuts: fc.array(fc.nat(100), { maxLength: 3 }),
    compressed: fc.boolean(),
    key: fc.option(fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)), {
      nil: undefined,
    }),
  });
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });

  test('results in the messages that were written', () => {
    fc.assert(
      fc.property(fc.array(frame), sizes, (frames, cut) => {
        const expected: string[] = [];
        const passed = frames.flatMap(
          ({ from, opcode, payload, cuts, compressed, key: mask }): Transmission[] => {
            if (opcode >= 8) {
              const bytes = webSocketFrame({
                opcode,
                payload: payload.subarray(0, 125),
                key: mask,
              });
              return [{ from, bytes }];
            }
            const name = opcode === TEXT ? 'text' : 'binary';
            expected.push(`${from} ${name}${compressed ? ' compressed' : ''}: ${textOf(payload)}`);
            const ends = [
              ...cuts.filter((at) => at < payload.length).sort((a, b) => a - b),
              payload.length,
            ];
            return ends.map((end, i) => {
              const part = payload.subarray(ends[i - 1] ?? 0, end);
              const first = { opcode, reserved: compressed ? 4 : 0 };
              const isFinal = i === ends.length - 1;
              const bytes = webSocketFrame({
                ...(i === 0 ? first : { opcode: CONTINUATION }),
                payload: part,
                isFinal,
                key: mask,
              });
              return { from, bytes };
            });
          },
        );
        const recorder = record('http/1.1');
        replay(recorder.observer, inChunks([...upgrade, ...passed], cut));
        expect(recorder.givenUp).toEqual([]);
        expect(messagesOf(recorder)).toEqual(expected);
      }),
    );
  });
});
