import { expect, test } from 'vitest';
import { countWithin } from './bounded-count.ts';

test.each([
  [[], 10, 0],
  [[4, 6], 10, 2],
  [[4, 6, 1], 10, 2],
  [[11], 10, 1],
  [[11, 1], 10, 1],
  [[1, 11], 10, 1],
])('with sizes %j and the budget %i, the first %i fit', (sizes, budget, expected) => {
  expect(countWithin(sizes, budget)).toBe(expected);
});
