import { expect, test } from 'vitest';
import { arraysOf } from './postgres-arrays.ts';

test.each([
  ['int8', 1.5, 'an integer column cannot hold this number'],
  ['int8', 2 ** 63, 'an integer column cannot hold this number'],
  ['int8', '7', 'an integer column cannot hold this string'],
  ['int4', true, 'an integer column cannot hold this boolean'],
  ['float8', Infinity, 'a numeric column cannot hold this number'],
  ['float8', NaN, 'a numeric column cannot hold this number'],
  ['float8', '1.5', 'a numeric column cannot hold this string'],
  ['text', 7, 'a text column cannot hold this number'],
  ['text', { a: 1 }, 'a text column cannot hold this object'],
] as const)('an array of %s rejects %j', (type, value, message) => {
  expect(() => arraysOf([{ name: 'c', type }], [{ c: value }])).toThrow(new TypeError(message));
});

test('integers beyond int4 are rejected', () => {
  expect(() => arraysOf([{ name: 'c', type: 'int4' }], [{ c: 2 ** 31 }])).toThrow(RangeError);
});
