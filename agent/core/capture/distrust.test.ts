import { describe, expect, test } from 'vitest';
import { createDistrust } from './distrust.ts';

const host = 'api.openai.com';
const node = { pid: 1, process: 'node', path: '/usr/bin/node' };
const curl = { pid: 2, process: 'curl', path: '/usr/bin/curl' };

describe('a client refuses our certificates', () => {
  test.each([
    ['after an alert', ['alert'], true],
    ['not after one connection that was just closed', ['closed'], false],
    ['after two in a row', ['closed', 'closed'], true],
    ['not if one succeeded between', ['closed', 'success', 'closed'], false],
  ] as const)('%s', (_, ends, refuses) => {
    const distrust = createDistrust({ now: () => 0 });
    for (const end of ends) {
      if (end === 'success') distrust.forget(node, host);
      else distrust.note(node, host, end);
    }
    expect(distrust.has(node, host)).toBe(refuses);
  });

  test('for that host and by that process alone', () => {
    const distrust = createDistrust({ now: () => 0 });
    distrust.note(node, host, 'alert');
    expect(distrust.has(node, 'claude.ai')).toBe(false);
    expect(distrust.has(curl, host)).toBe(false);
    expect(distrust.has({ ...node, path: '/opt/node' }, host)).toBe(false);
  });

  test('also if another process of the same program accepts them in between', () => {
    const distrust = createDistrust({ now: () => 0 });
    distrust.note(node, host, 'closed');
    distrust.forget({ ...node, pid: 3 }, host);
    distrust.note({ ...node, pid: 4 }, host, 'closed');
    expect(distrust.has({ ...node, pid: 5 }, host)).toBe(true);
  });

  test('not if nothing is known of the processes, and one succeeded between', () => {
    const unknown = { pid: null, process: null, path: null };
    const distrust = createDistrust({ now: () => 0 });
    distrust.note(unknown, host, 'closed');
    distrust.forget(unknown, host);
    distrust.note(unknown, host, 'closed');
    expect(distrust.has(unknown, host)).toBe(false);
  });

  test('for an hour: it may have come to trust the root', () => {
    let now = 0;
    const distrust = createDistrust({ now: () => now });
    distrust.note(node, host, 'alert');
    now = 3_599_999;
    expect(distrust.has(node, host)).toBe(true);
    now = 3_600_000;
    expect(distrust.has(node, host)).toBe(false);
  });
});

test('only so many are remembered, the latest', () => {
  const distrust = createDistrust({ now: () => 0, most: 2 });
  const clients = ['a', 'b', 'c'].map((process) => ({ pid: 1, process, path: null }));
  for (const client of clients) distrust.note(client, host, 'alert');
  const known = clients.map((client) => distrust.has(client, host));
  expect(known).toEqual([false, true, true]);
});

test('who refuses is listed with the host, since the first failure and for as long as it is passed through', () => {
  let now = 1000;
  const distrust = createDistrust({ now: () => now });
  distrust.note(node, host, 'closed');
  distrust.note(curl, 'claude.ai', 'alert');
  const refusedByCurl = { process: 'curl', path: '/usr/bin/curl', host: 'claude.ai', since: 1000 };
  expect(distrust.list()).toEqual([refusedByCurl]);
  now = 2000;
  distrust.note(node, host, 'closed');
  const refusedByNode = { process: 'node', path: '/usr/bin/node', host, since: 1000 };
  expect(distrust.list()).toEqual([refusedByCurl, refusedByNode]);
  now = 3_601_000;
  expect(distrust.list()).toEqual([refusedByNode]);
  distrust.forget(node, host);
  expect(distrust.list()).toEqual([]);
});
