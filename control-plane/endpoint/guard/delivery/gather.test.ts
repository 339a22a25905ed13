import { expect, test } from 'vitest';
import { gather } from './gather.ts';

const sum = (waiting: number, next: number): number => waiting + next;
const fail = (error: unknown): never => {
  throw error;
};

test('what comes together is one lot, and what comes for one key is merged', async () => {
  const lots: [string, number][][] = [];
  const work = (lot: ReadonlyMap<string, number>) => Promise.resolve(void lots.push([...lot]));
  const gathering = gather<string, number>({ ms: 1, merge: sum, work, onError: fail });
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
  const gathering = gather<string, number>({
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
  const gathering = gather<string, number>({
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
