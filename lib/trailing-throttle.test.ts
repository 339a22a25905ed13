import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { throttleTrailing } from './trailing-throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('requests within the delay are one run, at its end; a later one is another', () => {
  const run = vi.fn<() => void>();
  const throttle = throttleTrailing(run, 100);
  throttle.request();
  vi.advanceTimersByTime(99);
  throttle.request();
  expect([run.mock.calls.length, throttle.isDue()]).toEqual([0, true]);
  vi.advanceTimersByTime(1);
  expect([run.mock.calls.length, throttle.isDue()]).toEqual([1, false]);
  throttle.request(20);
  vi.advanceTimersByTime(20);
  expect(run).toHaveBeenCalledTimes(2);
});

test('a request during the run is for the next one', () => {
  let times = 0;
  const throttle = throttleTrailing(() => {
    times += 1;
    if (times === 1) throttle.request();
  }, 10);
  throttle.request();
  vi.advanceTimersByTime(20);
  expect(times).toBe(2);
});

test('what is cancelled does not run', () => {
  const run = vi.fn<() => void>();
  const throttle = throttleTrailing(run, 10);
  throttle.request();
  throttle.cancel();
  vi.advanceTimersByTime(100);
  expect([run.mock.calls.length, throttle.isDue()]).toEqual([0, false]);
});
