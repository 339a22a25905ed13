import { constants, createDeflateRaw, type DeflateRaw } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ObservedMessage } from '#agent/core/capture/wire/exchange.ts';
import { createMessageInflater } from './message-inflation.ts';

type From = ObservedMessage['from'];

const message = (from: From, bytes: Uint8Array, compressed: boolean): ObservedMessage => ({
  from,
  opcode: 'text',
  compressed,
  bytes,
  size: bytes.length,
  truncated: false,
  at: 0,
});

/** Compresses messages like a WebSocket: one stream per side, flushed after each message. */
async function deflated(texts: readonly (readonly [From, string])[], keepsContext: boolean) {
  const streams = new Map<From, DeflateRaw>();
  const messages: ObservedMessage[] = [];
  for (const [from, text] of texts) {
    const stream = (keepsContext && streams.get(from)) || createDeflateRaw();
    streams.set(from, stream);
    const chunks: Buffer[] = [];
    stream.removeAllListeners('data').on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.write(text);
    await new Promise<void>((done) => stream.flush(constants.Z_SYNC_FLUSH, done));
    messages.push(message(from, Buffer.concat(chunks).subarray(0, -4), true));
  }
  return messages;
}

const limitsOf = (most: number) => ({ maxMessageBytes: most, maxPieceBytes: 3 * most });

const inflateMessages = (
  messages: readonly ObservedMessage[],
  extensions: string | null,
  most: number,
) => createMessageInflater(extensions, limitsOf(most))(messages, () => true);

const textsOf = (messages: readonly ObservedMessage[]): string[] =>
  messages.map(({ bytes }) => Buffer.from(bytes).toString());

const conversations = fc.array(
  fc.tuple(fc.constantFrom<From>('client', 'server'), fc.string({ minLength: 1, maxLength: 200 })),
  { maxLength: 12 },
);
const NO_TAKEOVER = 'permessage-deflate; client_no_context_takeover; server_no_context_takeover';

test.each([
  [true, 'permessage-deflate'],
  [false, NO_TAKEOVER],
])(
  'the original messages are restored, with context takeover: %s',
  async (keepsContext, extensions) => {
    await fc.assert(
      fc.asyncProperty(conversations, async (texts) => {
        const sent = await deflated([...texts, ...texts], keepsContext);
        // The messages are passed in pieces.
        const inflater = createMessageInflater(extensions, limitsOf(10_000));
        const half = Math.floor(sent.length / 2);
        const pieces = [sent.slice(0, half), sent.slice(half)].flatMap((piece) =>
          inflater(piece, () => true),
        );
        expect(textsOf(pieces)).toEqual([...texts, ...texts].map(([, text]) => text));
      }),
      { numRuns: 30 },
    );
  },
);

test('after a truncated message, messages of the same side that may refer to it are dropped', async () => {
  const texts = [
    ['client', 'one'],
    ['server', 'two'],
    ['client', 'three'],
    ['server', 'four'],
  ] as const;
  const [first, ...rest] = await deflated(texts, true);
  const cut = [{ ...(first as ObservedMessage), truncated: true }, ...rest];
  expect(textsOf(inflateMessages(cut, 'permessage-deflate', 10_000))).toEqual(['two', 'four']);
  const [alone, ...others] = await deflated(texts, false);
  const independent = [{ ...(alone as ObservedMessage), truncated: true }, ...others];
  expect(textsOf(inflateMessages(independent, NO_TAKEOVER, 10_000))).toEqual([
    'two',
    'three',
    'four',
  ]);
});

test('messages that would exceed the limit or are invalid are dropped', async () => {
  const bomb = await deflated([['client', 'a'.repeat(100_000)]], true);
  const damaged = message('server', Uint8Array.of(255, 255, 255), true);
  const plain = message('server', new TextEncoder().encode('plain'), false);
  expect(textsOf(inflateMessages([...bomb, damaged, plain], null, 10_000))).toEqual(['plain']);
});

test('discarded bytes count, so that a piece of bombs takes no longer than one of text', async () => {
  const bomb = 'a'.repeat(100_000);
  const sent = await deflated(
    [...Array.from({ length: 3 }, () => ['server', bomb] as const), ['server', 'text']],
    false,
  );
  const inflater = createMessageInflater(NO_TAKEOVER, limitsOf(10_000));
  expect(inflater(sent, () => true)).toEqual([]);
  // Two bombs leave enough of the limit, and each piece has its own limit.
  expect(textsOf(inflater(sent.slice(1), () => true))).toEqual(['text']);
});

test('messages beyond the budget are dropped, and later ones are read', async () => {
  const sent = await deflated(
    [1, 2, 3].map((n) => ['client', `${n}`.repeat(1000)]),
    true,
  );
  const taken: number[] = [];
  const take = (bytes: number): boolean => taken.push(bytes) !== 2;
  const read = createMessageInflater(null, limitsOf(10_000))(sent, take);
  expect(textsOf(read)).toEqual(['1'.repeat(1000), '3'.repeat(1000)]);
  expect(taken).toEqual([1000, 1000, 1000]);
});

test('binary messages stay compressed, and messages that refer to them are read', async () => {
  const [first, second] = await deflated(
    [
      ['client', 'once upon a time'],
      ['client', 'once upon a time, again'],
    ],
    true,
  );
  const binary = { ...(first as ObservedMessage), opcode: 'binary' as const };
  const taken: number[] = [];
  const take = (bytes: number): boolean => taken.push(bytes) > 0;
  const read = createMessageInflater(null, limitsOf(10_000))(
    [binary, second as ObservedMessage],
    take,
  );
  expect(read[0]).toBe(binary);
  expect(textsOf(read.slice(1))).toEqual(['once upon a time, again']);
  expect(taken).toEqual([23]);
});
