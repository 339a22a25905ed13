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

/** As a WebSocket compresses: one stream for each side, flushed after each message. */
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
])('messages are what was sent, with context takeover: %s', async (keepsContext, extensions) => {
  await fc.assert(
    fc.asyncProperty(conversations, async (texts) => {
      const sent = await deflated([...texts, ...texts], keepsContext);
      // It is handed out in pieces.
      const inflater = createMessageInflater(extensions, limitsOf(10_000));
      const half = Math.floor(sent.length / 2);
      const pieces = [sent.slice(0, half), sent.slice(half)].flatMap((piece) =>
        inflater(piece, () => true),
      );
      expect(textsOf(pieces)).toEqual([...texts, ...texts].map(([, text]) => text));
    }),
    { numRuns: 30 },
  );
});

test('after one that was cut, those of the same side that may refer to it are left out', async () => {
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

test('what would grow beyond the bound, or is no DEFLATE, is left out', async () => {
  const bomb = await deflated([['client', 'a'.repeat(100_000)]], true);
  const damaged = message('server', Uint8Array.of(255, 255, 255), true);
  const plain = message('server', new TextEncoder().encode('plain'), false);
  expect(textsOf(inflateMessages([...bomb, damaged, plain], null, 10_000))).toEqual(['plain']);
});

test('what is inflated in vain counts, so that a piece of bombs takes no longer than one of text', async () => {
  const bomb = 'a'.repeat(100_000);
  const sent = await deflated(
    [...Array.from({ length: 3 }, () => ['server', bomb] as const), ['server', 'text']],
    false,
  );
  const inflater = createMessageInflater(NO_TAKEOVER, limitsOf(10_000));
  expect(inflater(sent, () => true)).toEqual([]);
  // Two of them leave room; and each piece has its own.
  expect(textsOf(inflater(sent.slice(1), () => true))).toEqual(['text']);
});

test('messages that the budget has no room for are left out, and those after them are read', async () => {
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

test('binary messages stay as they are, and what refers to them is read', async () => {
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
