import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runAt } from './run-at.ts';

const DAY = 86_400_000;

let work: ReturnType<typeof vi.fn<() => void>>;
beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  work = vi.fn<() => void>();
});
afterEach(() => void vi.useRealTimers());

test.each([1, 1000, DAY, 24 * DAY, 25 * DAY, 30 * DAY, 400 * DAY])(
  'after %i ms the work runs exactly once',
  (when) => {
    runAt(when, Date.now, work);
    vi.advanceTimersByTime(when - 1);
    expect(work).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(work).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(60 * DAY);
    expect(work).toHaveBeenCalledOnce();
  },
);

test('a time in the past runs at once', () => {
  runAt(-1, Date.now, work);
  expect(work).toHaveBeenCalledOnce();
});

test('on a computer that was asleep, the work runs within the hour', () => {
  let slept = 0;
  runAt(30 * DAY, () => Date.now() + slept, work);
  slept = 40 * DAY;
  vi.advanceTimersByTime(DAY / 24);
  expect(work).toHaveBeenCalledOnce();
});

test('a canceled timer does not run', () => {
  const callOff = runAt(2 * DAY, Date.now, work);
  vi.advanceTimersByTime(DAY);
  callOff();
  vi.advanceTimersByTime(30 * DAY);
  expect(work).not.toHaveBeenCalled();
});
