import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createJoinedWrites } from './joined-writes.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Records the chunks of each write. */
function createTarget() {
  const writes: string[][] = [];
  const stream = new Writable({
    writev(chunks, done) {
      writes.push(chunks.map(({ chunk }) => String(chunk)));
      done();
    },
  });
  return { stream, writes };
}

test('the chunks of a turn for a stream are written together at its end, in order', async () => {
  const write = createJoinedWrites();
  const [first, second] = [createTarget(), createTarget()];
  for (const text of ['a', 'b']) {
    write(first.stream, Buffer.from(text));
    write(second.stream, Buffer.from(text.toUpperCase()));
  }
  await Promise.resolve();
  expect(first.writes).toEqual([]);
  await turn();
  write(first.stream, Buffer.from('c'));
  await turn();
  expect(first.writes).toEqual([['a', 'b'], ['c']]);
  expect(second.writes).toEqual([['A', 'B']]);
});

test('joined chunks are written before the end of a stream', async () => {
  const write = createJoinedWrites();
  const { stream, writes } = createTarget();
  write(stream, Buffer.from('a'));
  write(stream, Buffer.from('b'));
  stream.end();
  expect(writes).toEqual([['a', 'b']]);
  await turn();
  expect(stream.writableFinished).toBe(true);
});

test('a chunk that fills a record is written at once, after earlier joined chunks', async () => {
  const write = createJoinedWrites();
  const { stream, writes } = createTarget();
  const full = 'x'.repeat(16_384);
  write(stream, Buffer.from(full));
  expect(writes).toEqual([[full]]);
  write(stream, Buffer.from('a'));
  write(stream, Buffer.from(full));
  expect(writes.slice(1)).toEqual([['a'], [full]]);
});
