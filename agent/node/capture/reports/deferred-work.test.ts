import { expect, test } from 'vitest';
import { createDeferredWork } from './deferred-work.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('work waits until the turn is over, and keeps its order', async () => {
  const done: number[] = [];
  const after = createDeferredWork();
  for (const n of [1, 2]) after.add(() => done.push(n));
  await Promise.resolve();
  expect(done).toEqual([]);
  await turn();
  expect(done).toEqual([1, 2]);
  after.add(() => done.push(3));
  await turn();
  expect(done).toEqual([1, 2, 3]);
});

test('flushed work does not run again, and work added meanwhile runs later', async () => {
  const done: string[] = [];
  const after = createDeferredWork();
  after.add(() => {
    done.push('first');
    after.add(() => done.push('second'));
  });
  after.flush();
  expect(done).toEqual(['first']);
  await turn();
  expect(done).toEqual(['first', 'second']);
});
