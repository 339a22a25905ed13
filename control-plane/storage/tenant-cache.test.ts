import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { localSignals } from './signals.ts';
import { tenantCache } from './tenant-cache.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'], now: 0 }));
afterEach(() => void vi.useRealTimers());

/** Creates a cache that counts loads per tenant, and fails on demand. */
function start() {
  const signals = localSignals();
  const loads: string[] = [];
  const state = { failing: false };
  const find = tenantCache(signals, 'settings', (tenantId) => {
    loads.push(tenantId);
    if (state.failing) return Promise.reject(new Error('the database is away'));
    return Promise.resolve(`${tenantId} ${loads.filter((id) => id === tenantId).length}`);
  });
  return { signals, loads, state, find };
}

test('a loaded value is cached for five seconds, per tenant', async () => {
  const { find, loads } = start();
  expect([await find('a'), await find('b'), await find('a')]).toEqual(['a 1', 'b 1', 'a 1']);
  vi.advanceTimersByTime(4999);
  expect(await find('a')).toBe('a 1');
  vi.advanceTimersByTime(1);
  expect(await find('a')).toBe('a 2');
  expect(loads).toEqual(['a', 'b', 'a']);
});

test('concurrent lookups share one load', async () => {
  const { find, loads } = start();
  expect(await Promise.all([find('a'), find('a')])).toEqual(['a 1', 'a 1']);
  expect(loads).toEqual(['a']);
});

test('a signal of the topic evicts the value at once, for its tenant only', async () => {
  const { find, signals } = start();
  await find('a');
  await find('b');
  signals.publish({ tenant_id: 'a', topic: 'keys' });
  expect([await find('a'), await find('b')]).toEqual(['a 1', 'b 1']);
  signals.publish({ tenant_id: 'a', topic: 'settings' });
  expect([await find('a'), await find('b')]).toEqual(['a 2', 'b 1']);
});

test('a failed load is retried by the next lookup', async () => {
  const { find, state } = start();
  state.failing = true;
  await expect(find('a')).rejects.toThrow('the database is away');
  state.failing = false;
  expect(await find('a')).toBe('a 2');
});
