import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createQuery } from './query.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a source with an interval is polled while it has subscribers', async () => {
  const load = vi.fn<() => Promise<number>>().mockResolvedValue(1);
  const live = { subscribe: () => () => {} };
  const query = createQuery({ key: 'k', topics: [], pollMs: 1000, load }, { live });
  await vi.advanceTimersByTimeAsync(5000);
  expect(load).not.toHaveBeenCalled();
  const unsubscribe = query.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(2500);
  expect(load).toHaveBeenCalledTimes(3);
  unsubscribe();
  await vi.advanceTimersByTimeAsync(5000);
  expect(load).toHaveBeenCalledTimes(3);
});
