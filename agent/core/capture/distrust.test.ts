import { describe, expect, test } from 'vitest';
import { createDistrust } from './distrust.ts';

const host = 'api.openai.com';
const node = { process: 'node', path: '/usr/bin/node' };
const curl = { process: 'curl', path: '/usr/bin/curl' };

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
    expect(distrust.has({ process: 'node', path: '/opt/node' }, host)).toBe(false);
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
  for (const name of ['a', 'b', 'c']) distrust.note({ process: name, path: null }, host, 'alert');
  const known = ['a', 'b', 'c'].map((name) => distrust.has({ process: name, path: null }, host));
  expect(known).toEqual([false, true, true]);
});
