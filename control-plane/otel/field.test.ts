import { expect, test } from 'vitest';
import { parsed } from './field.ts';

const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** JSON of this depth, in which lists and objects alternate. */
const inObject = (depth: number): string => `{"a":[{"b":${lists(depth - 3)}},1]}`;

test.each([
  ['{"a":[1]}', { a: [1] }],
  [' "text"', 'text'],
  ['7', '7'],
  ['[1', '[1'],
  [[1], [1]],
])('%j is parsed to %j', (value, json) => {
  expect(parsed(value)).toEqual(json);
});

test.each([4, 128])('text with %i nested lists is parsed', (depth) => {
  expect(parsed(lists(depth))).toBeInstanceOf(Array);
  expect(parsed(inObject(depth))).toBeTypeOf('object');
});

test.each([129, 5000, 200_000])('text with %i nested lists stays text', (depth) => {
  expect(parsed(lists(depth))).toBe(lists(depth));
  expect(parsed(inObject(depth))).toBe(inObject(depth));
});
