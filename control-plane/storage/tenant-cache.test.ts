import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { localSignals } from './signals.ts';
import { tenantCache } from './tenant-cache.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'], now: 0 }));
afterEach(() => void vi.useRealTimers());

/** Answers how often it was asked for a tenant, or fails while it is told to. */
function start() {
  const signals = localSignals();
  const asked: string[] = [];
  const state = { failing: false };
  const find = tenantCache(signals, 'settings', (tenantId) => {
    asked.push(tenantId);
    if (state.failing) return Promise.reject(new Error('the database is away'));
    return Promise.resolve(`${tenantId} ${asked.filter((one) => one === tenantId).length}`);
  });
  return { signals, asked, state, find };
}

test('what was loaded is remembered, for each tenant, for five seconds', async () => {
  const { find, asked } = start();
  expect([await find('a'), await find('b'), await find('a')]).toEqual(['a 1', 'b 1', 'a 1']);
  vi.advanceTimersByTime(4999);
  expect(await find('a')).toBe('a 1');
  vi.advanceTimersByTime(1);
  expect(await find('a')).toBe('a 2');
  expect(asked).toEqual(['a', 'b', 'a']);
});

test('what is loaded is loaded once for all that ask meanwhile', async () => {
  const { find, asked } = start();
  expect(await Promise.all([find('a'), find('a')])).toEqual(['a 1', 'a 1']);
  expect(asked).toEqual(['a']);
});

test('a signal of the topic forgets it at once, for its tenant alone', async () => {
  const { find, signals } = start();
  await find('a');
  await find('b');
  signals.publish({ tenant_id: 'a', topic: 'keys' });
  expect([await find('a'), await find('b')]).toEqual(['a 1', 'b 1']);
  signals.publish({ tenant_id: 'a', topic: 'settings' });
  expect([await find('a'), await find('b')]).toEqual(['a 2', 'b 1']);
});

test('what failed is asked again by whoever comes next', async () => {
  const { find, state } = start();
  state.failing = true;
  await expect(find('a')).rejects.toThrow('the database is away');
  state.failing = false;
  expect(await find('a')).toBe('a 2');
});
