import { expect, test } from 'vitest';
import { arraysOf } from './postgres-arrays.ts';

test.each([
  ['int8', 1.5, 'a column of whole numbers cannot hold this number'],
  ['int8', 2 ** 63, 'a column of whole numbers cannot hold this number'],
  ['int8', '7', 'a column of whole numbers cannot hold this string'],
  ['int4', true, 'a column of whole numbers cannot hold this boolean'],
  ['float8', Infinity, 'a column of numbers cannot hold this number'],
  ['float8', NaN, 'a column of numbers cannot hold this number'],
  ['float8', '1.5', 'a column of numbers cannot hold this string'],
  ['text', 7, 'a column of texts cannot hold this number'],
  ['text', { a: 1 }, 'a column of texts cannot hold this object'],
] as const)('an array of %s refuses %j', (type, value, message) => {
  expect(() => arraysOf([{ name: 'c', type }], [{ c: value }])).toThrow(new TypeError(message));
});

test('what is too great for int4 is refused', () => {
  expect(() => arraysOf([{ name: 'c', type: 'int4' }], [{ c: 2 ** 31 }])).toThrow(RangeError);
});
