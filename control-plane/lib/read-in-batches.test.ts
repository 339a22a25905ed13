import { expect, test } from 'vitest';
import { readInBatches } from './read-in-batches.ts';

/** Returns rows 0 to `count` in batches of two, and the rows after which each batch was read. */
async function batchesOf(count: number, max = 100) {
  const readAfter: (number | undefined)[] = [];
  const found: number[][] = [];
  const batches = readInBatches({
    read: (after: number | undefined = -1, limit) => {
      readAfter.push(after);
      const rows = Array.from({ length: count }, (_, at) => at);
      return Promise.resolve(rows.filter((row) => row > after).slice(0, limit));
    },
    keyOf: String,
    size: 2,
    max,
  });
  for await (const rows of batches) found.push([...rows]);
  return { found, readAfter };
}

test('each batch continues after the previous one', async () => {
  expect(await batchesOf(5)).toEqual({ found: [[0, 1], [2, 3], [4]], readAfter: [-1, 1, 3] });
});

test.each([
  [0, 100, []],
  [2, 100, [[0, 1]]],
  [9, 3, [[0, 1], [2]]],
])('%i rows, at most %i', async (count, most, found) => {
  expect((await batchesOf(count, most)).found).toEqual(found);
});

test('a row that is read again is omitted', async () => {
  const pages = [['a', 'b'], ['b', 'c'], ['c', 'b'], ['d']];
  const read = () => Promise.resolve(pages.shift() ?? []);
  const found: string[] = [];
  for await (const rows of readInBatches({ read, keyOf: String, size: 2, max: 9 }))
    found.push(...rows);
  expect(found).toEqual(['a', 'b', 'c']);
});

test('no query follows once the reader stops', async () => {
  let reads = 0;
  const read = (_after: string | undefined, limit: number) => {
    reads += 1;
    return Promise.resolve(Array.from({ length: limit }, (_, at) => `${reads}-${at}`));
  };
  for await (const _ of readInBatches({ read, keyOf: String, size: 2, max: 1000 })) break;
  expect(reads).toBe(1);
});
