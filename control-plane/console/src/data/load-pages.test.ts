import { assert, asyncProperty, integer } from 'fast-check';
import { expect, test } from 'vitest';
import { loadPages, MAX_PAGE_SIZE } from './load-pages.ts';

/** A fake list of the numbers below `count`. Records the offsets of the requested pages. */
function list(count: number) {
  const requested: number[] = [];
  const load = async ({ limit, offset }: { limit: number; offset: number }) => {
    requested.push(offset);
    const length = Math.max(0, Math.min(limit, count - offset));
    return { results: Array.from({ length }, (_, at) => offset + at), count };
  };
  return { requested, load };
}

test('loads each item of a range once, with as few pages as possible', async () => {
  const small = integer({ min: 0, max: 1000 });
  await assert(
    asyncProperty(small, small, small, async (count, from, length) => {
      const { requested, load } = list(count);
      const to = from + length;
      const { results } = await loadPages({ from, to, load });
      const last = Math.min(count, from + Math.ceil(length / MAX_PAGE_SIZE) * MAX_PAGE_SIZE);
      const expected = Array.from({ length: Math.max(0, last - from) }, (_, at) => from + at);
      expect(length === 0 ? [] : results).toEqual(length === 0 ? [] : expected);
      expect(requested.length).toBeLessThanOrEqual(Math.ceil(length / MAX_PAGE_SIZE));
    }),
  );
});

test('an item that moved to the next page while the list grew is returned once', async () => {
  const pages = [['c', 'b'], ['b', 'a'], []];
  const load = async () => ({ results: pages.shift() ?? [], count: 300 });
  expect(await loadPages({ to: 300, load, keyOf: (name) => name })).toEqual({
    results: ['c', 'b', 'a'],
    count: 300,
  });
});

test('the result states that only a part of a list is sorted', async () => {
  const load = async () => ({ results: ['a'], count: 1, count_exact: false, incomplete: true });
  expect(await loadPages({ to: 100, load })).toMatchObject({
    count_exact: false,
    incomplete: true,
  });
});
