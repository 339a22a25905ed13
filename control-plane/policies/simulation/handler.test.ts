import { expect, test } from 'vitest';
import { oneAtATime, takeFirst } from './handler.ts';

test('a tenant can run one call at a time, also after a failure', async () => {
  const alone = oneAtATime();
  const { promise, reject } = Promise.withResolvers<string>();
  const first = alone('a', () => promise);
  await expect(alone('a', () => Promise.resolve('second'))).rejects.toMatchObject({
    code: 'rate_limited',
    details: { retry_after: 5 },
  });
  expect(await alone('b', () => Promise.resolve('other'))).toBe('other');
  reject(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  expect(await alone('a', () => Promise.resolve('third'))).toBe('third');
});

async function* upTo(count: number): AsyncGenerator<number> {
  for (let i = 1; i <= count; i += 1) yield i;
}

test.each([
  [0, [], false],
  [2, [1, 2], false],
  [3, [1, 2, 3], false],
  [4, [1, 2, 3], true],
])('takes three of %i items: %j, truncated: %s', async (count, expected, isTruncated) => {
  const some = takeFirst(3, upTo(count));
  expect(await Array.fromAsync(some.first)).toEqual(expected);
  expect(some.isTruncated()).toBe(isTruncated);
});
