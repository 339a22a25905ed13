import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createQuery } from './query.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('what nobody tells of is read again at intervals, for as long as somebody looks', async () => {
  const load = vi.fn<() => Promise<number>>().mockResolvedValue(1);
  const live = { subscribe: () => () => {} };
  const query = createQuery({ key: 'k', topics: [], every: 1000, load }, { live });
  await vi.advanceTimersByTimeAsync(5000);
  expect(load).not.toHaveBeenCalled();
  const leave = query.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(2500);
  expect(load).toHaveBeenCalledTimes(3);
  leave();
  await vi.advanceTimersByTimeAsync(5000);
  expect(load).toHaveBeenCalledTimes(3);
});
