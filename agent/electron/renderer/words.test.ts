import { assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { formatBytes, listNames } from './words.ts';

test.each([
  [null, '–'],
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [9949, '9.9 kB'],
  [9950, '10 kB'],
  [999_499, '999 kB'],
  [999_500, '1.0 MB'],
  [1.5e13, '15 TB'],
])('%s bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test('sizes below a thousand terabytes take seven characters at most', () => {
  const sizes = integer({ min: 0, max: 999_499_999_999_999 });
  expect(() => assert(property(sizes, (bytes) => formatBytes(bytes).length <= 7))).not.toThrow();
});

test.each([
  [['a'], 'a'],
  [['a', 'b'], 'a and b'],
  [['a', 'b', 'c'], 'a, b, and c'],
])('%j is %s', (names, text) => {
  expect(listNames(names)).toBe(text);
});
