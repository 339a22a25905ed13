import { expect, test } from 'vitest';
import { take } from './take.ts';

async function* upTo(count: number): AsyncGenerator<number> {
  for (let i = 1; i <= count; i += 1) yield i;
}

test.each([
  [0, [], false],
  [2, [1, 2], false],
  [3, [1, 2, 3], false],
  [4, [1, 2, 3], true],
])('takes three of %i: %j, truncated: %s', async (count, expected, isTruncated) => {
  const some = take(3, upTo(count));
  expect(await Array.fromAsync(some.first)).toEqual(expected);
  expect(some.isTruncated()).toBe(isTruncated);
});
