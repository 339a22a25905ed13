import { expect, test } from 'vitest';
import { groupCommit } from './group-commit.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Starts a group commit that only records which items shared a transaction. */
function start() {
  const groups: string[][] = [];
  const commit = groupCommit<string, string>({
    sizeOf: () => 1,
    isUnavailable: () => false,
    write(works) {
      groups.push([...works]);
      return Promise.resolve(works.map((work) => `${work} done`));
    },
  });
  return { groups, commit };
}

test('a single item does not wait', async () => {
  const { groups, commit } = start();
  const first = commit('a');
  await turn();
  expect(groups).toEqual([['a']]);
  expect(await first).toBe('a done');
});

test('items that arrive together share a transaction', async () => {
  const { groups, commit } = start();
  const all = [commit('a'), commit('b')];
  setImmediate(() => all.push(commit('c')));
  await turn();
  await turn();
  await turn();
  expect(groups).toEqual([['a', 'b', 'c']]);
  expect(await Promise.all(all)).toEqual(['a done', 'b done', 'c done']);
});

test('the wait is bounded, no matter how many items arrive', async () => {
  const { groups, commit } = start();
  let coming = true;
  const come = (): void => {
    if (!coming) return;
    void commit('x');
    setImmediate(come);
  };
  come();
  for (let i = 0; i < 20; i += 1) await turn();
  coming = false;
  expect(groups.length).toBeGreaterThan(2);
});

test('while one transaction waits for its commit another is written, up to the limit', async () => {
  const begun: string[][] = [];
  const commits: (() => void)[] = [];
  const commit = groupCommit<string, string>({
    sizeOf: () => 1,
    isUnavailable: () => false,
    maxConcurrent: 2,
    async write(works) {
      begun.push([...works]);
      await new Promise<void>((resolve) => commits.push(resolve));
      return [...works];
    },
  });
  const answers: Promise<string>[] = [];
  for (const work of ['a', 'b', 'c', 'd']) {
    answers.push(commit(work));
    await turn();
    await turn();
  }
  expect(begun).toEqual([['a'], ['b']]);
  commits[0]?.();
  await turn();
  expect(begun).toEqual([['a'], ['b'], ['c', 'd']]);
  for (const resolve of commits) resolve();
  expect(await Promise.all(answers)).toEqual(['a', 'b', 'c', 'd']);
});
