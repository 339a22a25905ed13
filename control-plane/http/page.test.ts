import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageOf } from './page.ts';

const url = new URL('http://gatehouse.test/list/?agent=a%20b&limit=7');
const linkTo = (place: { limit: number; offset: number }): string =>
  `http://gatehouse.test/list/?agent=a+b&limit=${place.limit}&offset=${place.offset}`;

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
])('the page at %j lies between %j and %j', (place, previous, next) => {
  expect(pageOf(url, place, { rows: [], count: 30 })).toEqual({
    results: [],
    count: 30,
    previous: previous && linkTo(previous),
    next: next && linkTo(next),
  });
});

test('whoever walks back from anywhere sees all that is before, each once', () => {
  const place = { limit: fc.integer({ min: 1, max: 100 }), offset: fc.nat(1000) };
  fc.assert(
    fc.property(fc.record(place), (start) => {
      const seen: number[] = [];
      for (let at = start; ;) {
        const { previous } = pageOf(url, at, { rows: [], count: 1000 });
        if (!previous) break;
        const { searchParams } = new URL(previous);
        const [limit, offset] = ['limit', 'offset'].map((name) => Number(searchParams.get(name)));
        at = { limit: limit ?? 0, offset: offset ?? 0 };
        seen.unshift(...Array.from({ length: at.limit }, (_, i) => at.offset + i));
      }
      expect(seen).toEqual(Array.from({ length: start.offset }, (_, i) => i));
    }),
  );
});
