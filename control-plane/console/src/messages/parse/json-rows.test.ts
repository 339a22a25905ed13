import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonRows } from './json-rows.ts';
import { printJson } from './print-json.ts';
import { hasMatch, matcherOf, objectsWithMatch } from './text-search.ts';

const all = () => true;

test('only open objects and lists show their contents', () => {
  const value = { a: [1, 2], b: { c: {} } };
  const { rows, hasMore } = jsonRows(value, ({ path }) => path !== '/a', 100);
  expect(rows.map(({ path, level, open }) => [path, level, open])).toEqual([
    ['', 1, true],
    ['/a', 2, false],
    ['/b', 2, true],
    ['/b/c', 3, undefined],
  ]);
  expect(hasMore).toBe(false);
});

test('the number of rows is limited for a value of any size', () => {
  const value = { list: Array.from({ length: 500_000 }, (_, at) => at), last: 'x' };
  const { rows, hasMore } = jsonRows(value, all, 10);
  expect([rows.length, hasMore]).toEqual([10, true]);
});

test('every row has a unique path', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const paths = jsonRows(value, all, 1000).rows.map(({ path }) => path);
      expect(new Set(paths).size).toBe(paths.length);
    }),
  );
});

test('printJson formats like JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      expect(printJson(value)).toBe(JSON.stringify(value, null, 2));
    }),
  );
});

test('a value that nests 10,000 deep is listed, printed and searched', () => {
  const value = JSON.parse(`${'{"a":'.repeat(10_000)}"needle"${'}'.repeat(10_000)}`) as object;
  expect(jsonRows(value, all, 20_000).rows).toHaveLength(10_001);
  expect(printJson(value)).toContain('"needle"');
  expect(objectsWithMatch(/needle/giu, value).size).toBe(10_000);
});

test('a search finds text and names in any case, without special characters', () => {
  const value = { Name: 'a.b(c', inner: [{ x: 'Ärger' }] };
  const sizes = ['a.B(', 'ärger', 'name', 'aXb', '$^', ''].map((text) => {
    const matcher = matcherOf(text);
    return matcher && objectsWithMatch(matcher, value).size;
  });
  expect(sizes).toEqual([1, 3, 1, 0, 0, undefined]);
});

test('a search for any text finds that text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
      const matcher = matcherOf(text);
      expect(matcher && hasMatch(matcher, `before${text}after`)).toBe(true);
    }),
  );
});
