import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openLinuxClients } from './client-process-linux.ts';
import type { ClientFinder, ConnectionEndpoints } from './client-process.ts';
import { unknownClient } from './capture-listener.ts';

/** The search of these tests has one step in each slice. */
const SLICE_MS = 10;
const NO_INODE = 0;
const owner = { pid: 7, name: 'curl', path: '/usr/bin/curl', script: null };
const user = userInfo().username;
const notFound = { ...unknownClient, user };
const found = { ...notFound, pid: 7, process: 'curl', path: '/usr/bin/curl', script: null };

interface Cost {
  elapsedMs: number;
  cpuMs: number;
}

/**
 * Opens a finder whose searches find the owner after `stepCount` steps. Its clocks advance by the
 * cost of each step.
 */
function openFinder(stepCount: number, cost: Cost) {
  const spent = { elapsedMs: 0, cpuMs: 0, steps: 0 };
  function* search(inodes: ReadonlySet<number>) {
    if (inodes.has(NO_INODE)) return new Map();
    for (let step = 0; step < stepCount; step += 1) {
      spent.elapsedMs += cost.elapsedMs;
      spent.cpuMs += cost.cpuMs;
      spent.steps += 1;
      yield;
    }
    return new Map([...inodes].map((inode) => [inode, owner]));
  }
  const clocks = { elapsedMs: () => spent.elapsedMs, cpuMs: () => spent.cpuMs };
  const failures = new Set<string>();
  const onFailure = (line: string): void => void failures.add(line);
  return {
    ...openLinuxClients({ owners: { search, find: () => new Map() }, clocks, onFailure }),
    spent,
    failures,
  };
}

describe.runIf(process.platform === 'linux')('the limits of a search', () => {
  const server = createServer((socket) => socket.on('error', () => undefined));
  let ends: ConnectionEndpoints;

  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const client = connect(port, '127.0.0.1');
    await once(client, 'connect');
    const address = '127.0.0.1';
    ends = { client: { address, port: client.localPort ?? 0 }, server: { address, port } };
    afterAll(() => {
      client.destroy();
      server.close();
    });
  });

  const idle = { elapsedMs: SLICE_MS, cpuMs: SLICE_MS };
  const busy = { elapsedMs: 8 * SLICE_MS, cpuMs: SLICE_MS };
  const stopped = { elapsedMs: 50 * SLICE_MS, cpuMs: 0 };

  test.each([
    ['an idle machine', idle, 24, found],
    ['a machine that gives the agent an eighth of a CPU', busy, 24, found],
    ['a machine that does not run the agent for a second', stopped, 2, found],
    ['an idle machine, with more processes', idle, 1000, notFound],
    ['a machine that hardly runs the agent', stopped, 1000, notFound],
  ])('on %s', async (_, cost, steps, result) => {
    const finder = openFinder(steps, cost);
    expect(await finder.find(ends)).toEqual(result);
    expect([...finder.failures]).toEqual(
      result === found
        ? []
        : ['the search for the process of a connection failed: the search takes too long'],
    );
    const { elapsedMs, cpuMs } = finder.spent;
    expect([elapsedMs <= 2000, cpuMs <= 250]).toEqual([true, true]);
    finder.close();
  });

  const findTogether = (finder: ClientFinder, count: number) =>
    Promise.all(Array.from({ length: count }, () => finder.find(ends)));

  test('count the CPU time of each search for itself', async () => {
    const finder = openFinder(10, idle);
    expect(await findTogether(finder, 6)).toEqual(Array.from({ length: 6 }, () => found));
    finder.close();
  });

  test('include the elapsed time in which a search waits for others', async () => {
    const count = 12;
    const finder = openFinder(1000, idle);
    expect(await findTogether(finder, count)).toEqual(
      Array.from({ length: count }, () => notFound),
    );
    expect(finder.spent.elapsedMs).toBeLessThan(2000 + count * SLICE_MS);
    finder.close();
  });

  test('a search that fails is reported by its cause, and does not end later ones', async () => {
    const failures: string[] = [];
    const onFailure = (line: string): void => void failures.push(line);
    let elapsedMs = 0;
    let isFailing = true;
    function* search(inodes: ReadonlySet<number>) {
      elapsedMs += SLICE_MS;
      yield;
      if (isFailing) readdirSync('/not-there');
      return new Map([...inodes].map((inode) => [inode, owner]));
    }
    const clocks = { elapsedMs: () => elapsedMs, cpuMs: () => 0 };
    const finder = openLinuxClients({
      owners: { search, find: () => new Map() },
      clocks,
      onFailure,
    });
    expect(await finder.find(ends)).toEqual(notFound);
    expect(failures).toEqual(['the search for the process of a connection failed: ENOENT']);
    isFailing = false;
    expect(await finder.find(ends)).toEqual(found);
    expect(failures).toHaveLength(1);
    finder.close();
  });

  test('a user name that cannot be read does not prevent the search', async () => {
    function* search(inodes: ReadonlySet<number>): Generator<void, Map<number, typeof owner>> {
      yield;
      return new Map([...inodes].map((inode) => [inode, owner]));
    }
    const failures: string[] = [];
    const finder = openLinuxClients({
      owners: { search, find: () => new Map() },
      userName: () => {
        throw new Error('no user names');
      },
      onFailure: (line) => failures.push(line),
    });
    expect(await finder.find(ends)).toEqual({ ...found, user: null });
    expect(failures).toEqual(['the search for the process of a connection failed: no user names']);
    finder.close();
  });

  test('an agent that may not see the process reports that', async () => {
    vi.spyOn(process, 'geteuid').mockReturnValue(12_345);
    onTestFinished(() => void vi.restoreAllMocks());
    function* search(): Generator<void, Map<number, typeof owner>> {
      yield;
      return new Map();
    }
    const failures: string[] = [];
    const finder = openLinuxClients({
      owners: { search, find: () => new Map() },
      onFailure: (line) => failures.push(line),
    });
    expect(await finder.find(ends)).toEqual(notFound);
    expect(failures).toEqual([expect.stringMatching(/without root rights$/)]);
    finder.close();
  });
});
