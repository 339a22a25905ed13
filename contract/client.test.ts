import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEvents } from './client.ts';

const answerIn = (chunks: Uint8Array[]): Response =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    }),
  );

const pieces = (bytes: Uint8Array, sizes: number[]): Uint8Array[] => {
  const chunks: Uint8Array[] = [];
  let start = 0;
  for (const size of [...sizes, bytes.length]) {
    chunks.push(bytes.slice(start, start + size));
    start += size;
  }
  return chunks;
};

test('events are complete regardless of how the network splits them', async () => {
  const event = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);
  await fc.assert(
    fc.asyncProperty(fc.array(event), fc.array(fc.nat(9)), async (events, sizes) => {
      const text = events.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');
      const answer = answerIn(pieces(new TextEncoder().encode(text), sizes));
      expect(await Array.fromAsync(readEvents(answer))).toEqual(events);
    }),
  );
});

test('comments and truncated events are ignored', async () => {
  const text = ': still here\n\ndata: {"a":"😀"}\n\ndata: {"b"';
  expect(await Array.fromAsync(readEvents(new Response(text)))).toEqual([{ a: '😀' }]);
  expect(await Array.fromAsync(readEvents(new Response(null)))).toEqual([]);
});

test('stopping early ends the response', async () => {
  let ended = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('data: 1\n\n')),
    cancel() {
      ended = true;
    },
  });
  for await (const event of readEvents(new Response(endless))) if (event === 1) break;
  expect(ended).toBe(true);
});
