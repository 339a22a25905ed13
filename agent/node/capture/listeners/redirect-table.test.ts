import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRedirectTable, type RedirectTable } from './redirect-table.ts';

const ports = { 4: { clients: 1, probes: 2 }, 6: null };
const rules = { table: 'test', ports, groupId: 1, probeGroupId: 2, holdSeconds: 15 };
const arrives = () => Promise.resolve(true);
const addresses = new Set(['192.0.2.1']);

let table: RedirectTable;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  await table.remove();
  vi.useRealTimers();
});

test('a program that cannot be started is a problem, and later attempts follow', async () => {
  const problems: (string | null)[] = [];
  // A path with a NUL byte is refused before a process exists, as when there is no memory for one.
  const onProblem = (line: string | null) => problems.push(line);
  table = createRedirectTable(rules, { arrives, command: '\0', onProblem });
  await table.setAddresses(addresses);
  expect(problems).toEqual([expect.stringMatching(/^nft: .*null bytes/)]);
  vi.runOnlyPendingTimers();
  await vi.waitFor(() => expect(problems).toHaveLength(2));
  await table.remove();
  expect(problems.at(-1)).toBe(null);
});

test('work never rejects, even if no failure can be reported', async () => {
  const onProblem = (): void => {
    throw new Error('no space left');
  };
  table = createRedirectTable(rules, { arrives, command: 'not-there', onProblem });
  await expect(table.setAddresses(addresses)).resolves.toBeUndefined();
  await expect(table.remove()).resolves.toBeUndefined();
});

test('a report that fails does not prevent later work', async () => {
  const onProblem = vi.fn<(line: string | null) => void>();
  onProblem.mockImplementationOnce(() => {
    throw new Error('no space left');
  });
  table = createRedirectTable(rules, { arrives, command: 'not-there', onProblem });
  await table.setAddresses(addresses);
  expect(onProblem).toHaveBeenLastCalledWith('nft: no space left');
  await table.remove();
  expect(onProblem).toHaveBeenLastCalledWith(null);
});
