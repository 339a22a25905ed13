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

const inflateMessages = (
  messages: readonly ObservedMessage[],
  extensions: string | null,
  most: number,
) => createMessageInflater(extensions, most)(messages);

const textsOf = (messages: readonly ObservedMessage[]): string[] =>
  messages.map(({ bytes }) => Buffer.from(bytes).toString());

const conversations = fc.array(
  fc.tuple(fc.constantFrom<From>('client', 'server'), fc.string({ minLength: 1, maxLength: 200 })),
  { maxLength: 12 },
);
const noTakeover = 'permessage-deflate; client_no_context_takeover; server_no_context_takeover';

test.each([
  [true, 'permessage-deflate'],
  [false, noTakeover],
])('messages are what was sent, with context takeover: %s', async (keepsContext, extensions) => {
  await fc.assert(
    fc.asyncProperty(conversations, async (texts) => {
      const sent = await deflated([...texts, ...texts], keepsContext);
      // It is handed out in pieces.
      const inflater = createMessageInflater(extensions, 10_000);
      const half = Math.floor(sent.length / 2);
      const pieces = [sent.slice(0, half), sent.slice(half)].flatMap(inflater);
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
  expect(textsOf(inflateMessages(independent, noTakeover, 10_000))).toEqual([
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
