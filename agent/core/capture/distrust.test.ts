import { describe, expect, test } from 'vitest';
import { createDistrust } from './distrust.ts';

const HOST = 'api.openai.com';
const node = { pid: 1, process: 'node', path: '/usr/bin/node' };
const unknown = { pid: null, process: null, path: null };
const curl = { pid: 2, process: 'curl', path: '/usr/bin/curl' };

describe('a client counts as rejecting our certificates', () => {
  test.each([
    ['after an alert', ['alert'], true],
    ['not after one connection that was just closed', ['closed'], false],
    ['after two in a row', ['closed', 'closed'], true],
    ['not if one succeeded between', ['closed', 'success', 'closed'], false],
  ] as const)('%s', (_, ends, refuses) => {
    const distrust = createDistrust({ now: () => 0 });
    for (const end of ends)
      if (end === 'success') distrust.recordAcceptance(node, HOST);
      else distrust.recordFailure(node, HOST, end);

    expect(distrust.has(node, HOST)).toBe(refuses);
  });

  test('not after closes that lie further apart than the time for which it is passed through', () => {
    let now = 0;
    const distrust = createDistrust({ now: () => now, durationMs: 100 });
    for (; now < 1000; now += 100) expect(distrust.recordFailure(node, HOST, 'closed')).toBe(false);
  });

  test('only for that host and that program', () => {
    const distrust = createDistrust({ now: () => 0 });
    distrust.recordFailure(node, HOST, 'alert');
    expect(distrust.has(node, 'claude.ai')).toBe(false);
    expect(distrust.has(curl, HOST)).toBe(false);
    expect(distrust.has({ ...node, path: '/opt/node' }, HOST)).toBe(false);
  });

  test('not if the process was seen to accept them: it closes connections that it does not need', () => {
    const distrust = createDistrust({ now: () => 0 });
    distrust.recordAcceptance(node, HOST);
    for (let time = 0; time < 3; time += 1) distrust.recordFailure(node, HOST, 'closed');
    expect(distrust.has(node, HOST)).toBe(false);
    expect(distrust.recordFailure(node, HOST, 'alert')).toBe(true);
  });

  test("only for one user, because another user's program may have other settings", () => {
    const distrust = createDistrust({ now: () => 0 });
    distrust.recordFailure({ ...curl, user: 'ada' }, HOST, 'alert');
    expect(distrust.has({ ...curl, user: 'ada' }, HOST)).toBe(true);
    expect(distrust.has({ ...curl, user: 'bob' }, HOST)).toBe(false);
  });

  test('only for one script, not for everything that the interpreter runs', () => {
    const distrust = createDistrust({ now: () => 0 });
    const tool = { ...node, script: '/usr/lib/node_modules/tool/cli.js' };
    distrust.recordFailure(tool, HOST, 'alert');
    expect(distrust.has({ ...tool, pid: 7 }, HOST)).toBe(true);
    expect(distrust.has({ ...node, script: '/srv/bot.js' }, HOST)).toBe(false);
    expect(distrust.has(node, HOST)).toBe(false);
  });

  test('also if another process of the same program accepts them in between', () => {
    const distrust = createDistrust({ now: () => 0 });
    distrust.recordFailure(node, HOST, 'closed');
    distrust.recordAcceptance({ ...node, pid: 3 }, HOST);
    distrust.recordFailure({ ...node, pid: 4 }, HOST, 'closed');
    expect(distrust.has({ ...node, pid: 5 }, HOST)).toBe(true);
  });

  test.each(['closed', 'alert'] as const)(
    'also if the processes are unknown and one accepts them: %s',
    (end) => {
      const distrust = createDistrust({ now: () => 0 });
      distrust.recordFailure(unknown, HOST, end);
      distrust.recordAcceptance(unknown, HOST);
      distrust.recordFailure(unknown, HOST, 'closed');
      distrust.recordAcceptance(unknown, HOST);
      expect(distrust.has(unknown, HOST)).toBe(true);
    },
  );

  test('if its process is unknown, only for its user and the protocols that it offers', () => {
    const distrust = createDistrust({ now: () => 0 });
    const script = { ...unknown, user: 'ada', protocols: ['http/1.1'] };
    distrust.recordFailure(script, HOST, 'alert');
    expect(distrust.has({ ...script }, HOST)).toBe(true);
    expect(distrust.has({ ...script, user: 'bob' }, HOST)).toBe(false);
    expect(distrust.has({ ...script, protocols: ['h2', 'http/1.1'] }, HOST)).toBe(false);
  });

  test('whichever protocols it offers, if its process is known', () => {
    const distrust = createDistrust({ now: () => 0 });
    distrust.recordFailure({ ...curl, protocols: ['http/1.1'] }, HOST, 'alert');
    expect(distrust.has({ ...curl, protocols: ['h2'] }, HOST)).toBe(true);
  });

  test('for an hour, because it may trust the root by then', () => {
    let now = 0;
    const distrust = createDistrust({ now: () => now });
    distrust.recordFailure(node, HOST, 'alert');
    now = 3_599_999;
    expect(distrust.has(node, HOST)).toBe(true);
    now = 3_600_000;
    expect(distrust.has(node, HOST)).toBe(false);
  });
});

test('only the latest clients are remembered', () => {
  const distrust = createDistrust({ now: () => 0, maxEntries: 2 });
  const clients = ['a', 'b', 'c'].map((process) => ({ pid: 1, process, path: null }));
  for (const client of clients) distrust.recordFailure(client, HOST, 'alert');
  const known = clients.map((client) => distrust.has(client, HOST));
  expect(known).toEqual([false, true, true]);
});

test('a rejecting client is listed with the host and the time of its first failure while it is passed through', () => {
  let now = 1000;
  const distrust = createDistrust({ now: () => now });
  distrust.recordFailure(node, HOST, 'closed');
  distrust.recordFailure(curl, 'claude.ai', 'alert');
  const refusedByCurl = {
    process: 'curl',
    path: '/usr/bin/curl',
    script: null,
    host: 'claude.ai',
    since: 1000,
  };
  expect(distrust.list()).toEqual([refusedByCurl]);
  now = 2000;
  distrust.recordFailure(node, HOST, 'closed');
  const refusedByNode = {
    process: 'node',
    path: '/usr/bin/node',
    script: null,
    host: HOST,
    since: 1000,
  };
  expect(distrust.list()).toEqual([refusedByCurl, refusedByNode]);
  now = 3_601_000;
  expect(distrust.list()).toEqual([refusedByNode]);
  distrust.recordAcceptance(node, HOST);
  expect(distrust.list()).toEqual([]);
});
