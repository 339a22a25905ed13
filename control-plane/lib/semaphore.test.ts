import { expect, test } from 'vitest';
import { semaphore } from './semaphore.ts';

test('limits concurrency, in order, even if some tasks fail', async () => {
  const run = semaphore(2);
  const begun: number[] = [];
  let [atOnce, maximum] = [0, 0];
  const work = async (i: number): Promise<number> => {
    begun.push(i);
    maximum = Math.max(maximum, (atOnce += 1));
    await new Promise((resolve) => setImmediate(resolve));
    atOnce -= 1;
    if (i % 3 === 0) throw new Error(`no ${i}`);
    return i;
  };
  const numbers = Array.from({ length: 9 }, (_, i) => i);
  const outcomes = await Promise.allSettled(numbers.map((i) => run(() => work(i))));
  expect([begun, maximum]).toEqual([numbers, 2]);
  expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(
    numbers.map((i) => i % 3 !== 0),
  );
  expect(await run(() => Promise.resolve('goes on'))).toBe('goes on');
});
