import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageOf } from './pagination.ts';

const url = new URL('http://gatehouse.test/list/?agent=a%20b&limit=7');
const linkTo = (paging: { limit: number; offset: number }): string =>
  `http://gatehouse.test/list/?agent=a+b&limit=${paging.limit}&offset=${paging.offset}`;

test.each([
  [{ limit: 10, offset: 0 }, null, { limit: 10, offset: 10 }],
  [
    { limit: 10, offset: 5 },
    { limit: 5, offset: 0 },
    { limit: 10, offset: 15 },
  ],
  [
    { limit: 10, offset: 10 },
    { limit: 10, offset: 0 },
    { limit: 10, offset: 20 },
  ],
  [{ limit: 10, offset: 25 }, { limit: 10, offset: 15 }, null],
])('the page at %j is between %j and %j', (paging, previous, next) => {
  expect(pageOf(url, paging, { rows: [], count: 30 })).toEqual({
    results: [],
    count: 30,
    previous: previous && linkTo(previous),
    next: next && linkTo(next),
  });
});

test('paging back from any page returns everything before it exactly once', () => {
  const paging = { limit: fc.integer({ min: 1, max: 100 }), offset: fc.nat(1000) };
  fc.assert(
    fc.property(fc.record(paging), (start) => {
      const visited: number[] = [];
      for (let at = start; ;) {
        const { previous } = pageOf(url, at, { rows: [], count: 1000 });
        if (!previous) break;
        const { searchParams } = new URL(previous);
        const [limit, offset] = ['limit', 'offset'].map((name) => Number(searchParams.get(name)));
        at = { limit: limit ?? 0, offset: offset ?? 0 };
        visited.unshift(...Array.from({ length: at.limit }, (_, i) => at.offset + i));
      }
      expect(visited).toEqual(Array.from({ length: start.offset }, (_, i) => i));
    }),
  );
});
