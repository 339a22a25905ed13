import { afterEach, expect, test, vi } from 'vitest';
import { batchQueue, keyBatchQueue } from './batch-queue.ts';

const sum = (waiting: number, next: number): number => waiting + next;
const fail = (error: unknown): never => {
  throw error;
};

afterEach(() => void vi.useRealTimers());

test('what comes together is one lot, and what comes for one key is merged', async () => {
  const lots: [string, number][][] = [];
  const work = (lot: ReadonlyMap<string, number>) => Promise.resolve(void lots.push([...lot]));
  const gathering = batchQueue<string, number>({ ms: 1, merge: sum, work, onError: fail });
  for (const key of ['a', 'b', 'a']) gathering.add(key, 1);
  await gathering.stop();
  expect(lots).toEqual([
    [
      ['a', 2],
      ['b', 1],
    ],
  ]);
});

test('never two lots at once: what comes meanwhile is the next', async () => {
  const lots: string[][] = [];
  let atOnce = 0;
  let release = (): void => undefined;
  const began = Promise.withResolvers<undefined>();
  const gathering = batchQueue<string, number>({
    ms: 0,
    merge: sum,
    onError: fail,
    async work(lot) {
      expect((atOnce += 1)).toBe(1);
      lots.push([...lot.keys()]);
      if (lots.length === 1)
        await new Promise<void>((resolve) => {
          release = resolve;
          began.resolve(undefined);
        });
      atOnce -= 1;
    },
  });
  gathering.add('first', 1);
  await began.promise;
  for (let i = 0; i < 100; i += 1) gathering.add(`later-${i}`, 1);
  release();
  await gathering.stop();
  expect(lots.map(({ length }) => length)).toEqual([1, 100]);
});

test('a lot that fails does not hold up the next', async () => {
  const errors: unknown[] = [];
  const lots: string[][] = [];
  const gathering = batchQueue<string, number>({
    ms: 0,
    merge: sum,
    onError: (error) => void errors.push(error),
    work(lot) {
      lots.push([...lot.keys()]);
      return lots.length === 1 ? Promise.reject(new Error('no database')) : Promise.resolve();
    },
  });
  gathering.add('a', 1);
  while (errors.length === 0) await new Promise((resolve) => setImmediate(resolve));
  gathering.add('b', 1);
  await gathering.stop();
  gathering.add('c', 1);
  await gathering.stop();
  expect(lots).toEqual([['a'], ['b']]);
  expect(errors).toEqual([new Error('no database')]);
});

test('a lot rests after the one before it, and what comes meanwhile is one lot', async () => {
  vi.useFakeTimers();
  const lots: string[][] = [];
  const work = (keys: readonly string[]) => Promise.resolve(void lots.push([...keys]));
  const gathering = keyBatchQueue<string>({ ms: 10, restMs: 1000, work, onError: fail });
  gathering.add('a');
  await vi.advanceTimersByTimeAsync(10);
  for (const key of ['b', 'c', 'b']) gathering.add(key);
  await vi.advanceTimersByTimeAsync(990);
  expect(lots).toEqual([['a']]);
  await vi.advanceTimersByTimeAsync(10);
  expect(lots).toEqual([['a'], ['b', 'c']]);
  await vi.advanceTimersByTimeAsync(5000);
  gathering.add('d');
  await vi.advanceTimersByTimeAsync(10);
  expect(lots).toEqual([['a'], ['b', 'c'], ['d']]);
});
