import { afterEach, expect, test, vi } from 'vitest';
import { batchQueue, keyBatchQueue } from './batch-queue.ts';

const sum = (waiting: number, next: number): number => waiting + next;
const fail = (error: unknown): never => {
  throw error;
};

afterEach(() => void vi.useRealTimers());

test('additions within the interval form one batch, and values of a key are merged', async () => {
  const batches: [string, number][][] = [];
  const work = (batch: ReadonlyMap<string, number>) =>
    Promise.resolve(void batches.push([...batch]));
  const queue = batchQueue<string, number>({ ms: 1, merge: sum, work, onError: fail });
  for (const key of ['a', 'b', 'a']) queue.add(key, 1);
  await queue.stop();
  expect(batches).toEqual([
    [
      ['a', 2],
      ['b', 1],
    ],
  ]);
});

test('batches never overlap: later additions form the next one', async () => {
  const batches: string[][] = [];
  let atOnce = 0;
  let release = (): void => undefined;
  const began = Promise.withResolvers<undefined>();
  const queue = batchQueue<string, number>({
    ms: 0,
    merge: sum,
    onError: fail,
    async work(batch) {
      expect((atOnce += 1)).toBe(1);
      batches.push([...batch.keys()]);
      if (batches.length === 1)
        await new Promise<void>((resolve) => {
          release = resolve;
          began.resolve(undefined);
        });
      atOnce -= 1;
    },
  });
  queue.add('first', 1);
  await began.promise;
  for (let i = 0; i < 100; i += 1) queue.add(`later-${i}`, 1);
  release();
  await queue.stop();
  expect(batches.map(({ length }) => length)).toEqual([1, 100]);
});

test('a failing batch does not block the next', async () => {
  const errors: unknown[] = [];
  const batches: string[][] = [];
  const queue = batchQueue<string, number>({
    ms: 0,
    merge: sum,
    onError: (error) => void errors.push(error),
    work(batch) {
      batches.push([...batch.keys()]);
      return batches.length === 1 ? Promise.reject(new Error('no database')) : Promise.resolve();
    },
  });
  queue.add('a', 1);
  while (errors.length === 0) await new Promise((resolve) => setImmediate(resolve));
  queue.add('b', 1);
  await queue.stop();
  queue.add('c', 1);
  await queue.stop();
  expect(batches).toEqual([['a'], ['b']]);
  expect(errors).toEqual([new Error('no database')]);
});

test('batches keep a minimum interval, and additions during it form one batch', async () => {
  vi.useFakeTimers();
  const batches: string[][] = [];
  const work = (keys: readonly string[]) => Promise.resolve(void batches.push([...keys]));
  const queue = keyBatchQueue<string>({ ms: 10, minGapMs: 1000, work, onError: fail });
  queue.add('a');
  await vi.advanceTimersByTimeAsync(10);
  for (const key of ['b', 'c', 'b']) queue.add(key);
  await vi.advanceTimersByTimeAsync(990);
  expect(batches).toEqual([['a']]);
  await vi.advanceTimersByTimeAsync(10);
  expect(batches).toEqual([['a'], ['b', 'c']]);
  await vi.advanceTimersByTimeAsync(5000);
  queue.add('d');
  await vi.advanceTimersByTimeAsync(10);
  expect(batches).toEqual([['a'], ['b', 'c'], ['d']]);
});
