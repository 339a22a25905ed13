import { expect, test } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';

test('one call per tenant at a time, also after a failure', async () => {
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
