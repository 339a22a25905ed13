import { expect, test } from 'vitest';
import { loadOnce } from './memoize.ts';

test('a loaded value is cached, but a failure is retried', async () => {
  const outcomes = [new Error('the file is being replaced'), 'loaded', 'loaded again'];
  const load = loadOnce(async () => {
    const outcome = outcomes.shift();
    if (outcome instanceof Error) throw outcome;
    return outcome;
  });
  await expect(load()).rejects.toThrow('being replaced');
  expect(await Promise.all([load(), load()])).toEqual(['loaded', 'loaded']);
  expect(await load()).toBe('loaded');
});
