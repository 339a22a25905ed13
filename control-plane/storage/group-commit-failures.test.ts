import { expect, test } from 'vitest';
import { groupCommit } from './group-commit.ts';

class Unavailable extends Error {}

/**
 * Starts a group commit whose writes record each group and then fail for items that are marked to
 * fail.
 */
function start() {
  const groups: string[][] = [];
  const commit = groupCommit<string, string>({
    sizeOf: () => 1,
    isUnavailable: (error) => error instanceof Unavailable,
    write: (works) => {
      groups.push([...works]);
      if (works.includes('away')) return Promise.reject(new Unavailable('the database is away'));
      if (works.includes('bad')) return Promise.reject(new Error('this cannot be stored'));
      return Promise.resolve(works.map((work) => `${work} done`));
    },
  });
  const outcomes = async (...works: string[]): Promise<string[]> => {
    const settled = await Promise.allSettled(works.map(commit));
    return settled.map((result) =>
      result.status === 'fulfilled' ? result.value : (result.reason as Error).message,
    );
  };
  return { groups, outcomes };
}

test('an item that cannot be stored is rejected alone, and the others are written again without it', async () => {
  const { groups, outcomes } = start();
  expect(await outcomes('a', 'bad', 'b')).toEqual(['a done', 'this cannot be stored', 'b done']);
  expect(groups).toEqual([['a', 'bad', 'b'], ['a'], ['bad'], ['b']]);
});

test('after an unavailable database no group is written again, since the first write may have committed', async () => {
  const { groups, outcomes } = start();
  const unavailable = 'the database is away';
  expect(await outcomes('a', 'away', 'b')).toEqual([unavailable, unavailable, unavailable]);
  expect(groups).toEqual([['a', 'away', 'b']]);
  expect(await outcomes('c', 'd')).toEqual(['c done', 'd done']);
});

test('a transaction takes about 5,000 rows, and a larger item has its own', async () => {
  const sizes: number[][] = [];
  const commit = groupCommit<number, number>({
    sizeOf: (rows) => rows,
    isUnavailable: () => false,
    write: (works) => {
      sizes.push([...works]);
      return Promise.resolve([...works]);
    },
  });
  await Promise.all([2499, 2499, 1, 9000, 10].map(commit));
  expect(sizes).toEqual([[2499, 2499], [1], [9000], [10]]);
});
