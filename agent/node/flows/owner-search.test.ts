import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFlowTable } from '#agent/core/flow-table.ts';
import type { Flow, FlowOwner } from '#agent/core/flow-table.ts';
import { createOwnerSearch } from './owner-search.ts';

const table = createFlowTable({ idOf: String, reportIntervalMs: 0, maxMisses: 1 });

const flowOf = (inode: number): Flow => {
  const ends = { localAddress: '10.0.0.1', localPort: 1, address: '10.0.0.2', port: 443 };
  return table.add({ key: inode, protocol: 'tcp', ...ends, inode, user: null, owner: null }, 0);
};

const ownerOf = (pid: number): FlowOwner => ({ pid, name: `p${pid}`, path: `/bin/p${pid}` });

/**
 * Starts a search in which each socket belongs to the process of the same number; `searches`
 * records the searched inodes.
 */
function startSearch(cost: () => unknown = () => undefined) {
  const searches: number[][] = [];
  const owners = createOwnerSearch(
    (inodes) => {
      searches.push([...inodes]);
      cost();
      return new Map([...inodes].map((inode) => [inode, ownerOf(inode)]));
    },
    ({ path }) => (path === '/bin/p1' ? 'one' : undefined),
  );
  return { owners, searches };
}

const useProcessor = (ms: number) => {
  const before = process.threadCpuUsage();
  const used = () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
  while (used() < ms);
};

test('searches once for all connections that begin together, before the next poll', async () => {
  const { owners, searches } = startSearch();
  const flows = [1, 2, 3].map(flowOf);
  flows.forEach(owners.searchImmediately);
  await nextTurn();
  expect(searches).toEqual([[1, 2, 3]]);
  expect(flows.map(({ owner, appId }) => [owner?.pid, appId])).toEqual([
    [1, 'one'],
    [2, null],
    [3, null],
  ]);
  owners.searchImmediately(flowOf(4));
  await nextTurn();
  expect(searches).toEqual([[1, 2, 3], [4]]);
});

test('does not search for a connection that has already ended', async () => {
  const { owners, searches } = startSearch();
  const flow = flowOf(1);
  owners.searchImmediately(flow);
  flow.phase = 'ended';
  await nextTurn();
  expect(searches).toEqual([]);
});

test('leaves the rest of a flood to the next poll, and can search again after it', async () => {
  const { owners, searches } = startSearch(() => searches.length === 1 && useProcessor(101));
  const [first, second] = [flowOf(1), flowOf(2)];
  owners.searchImmediately(first);
  await nextTurn();
  owners.searchImmediately(second);
  owners.enqueue(second);
  await nextTurn();
  expect(searches).toEqual([[1]]);
  owners.searchQueued();
  expect(second.owner?.pid).toBe(2);
  owners.searchImmediately(flowOf(3));
  await nextTurn();
  expect(searches).toEqual([[1], [2], [3]]);
});

test('a search between two polls that fails does not end the process, and the next poll repeats it', async () => {
  let isFailing = true;
  const { owners, searches } = startSearch(() => {
    if (isFailing) throw new Error('EMFILE: too many open files');
  });
  const uncaught: unknown[] = [];
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => uncaught.push(error));
  const flow = flowOf(1);
  owners.searchImmediately(flow);
  await nextTurn();
  await nextTurn();
  process.removeAllListeners('uncaughtException');
  for (const listener of others) process.on('uncaughtException', listener);
  expect(uncaught).toEqual([]);
  isFailing = false;
  owners.enqueue(flow);
  owners.searchQueued();
  expect([searches, flow.owner?.pid]).toEqual([[[1], [1]], 1]);
});
