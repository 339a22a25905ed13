import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAutomaticRun } from './automatic-run.ts';
import type { Run } from './types.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Creates an automatic run that logs which runs were started and completed. */
function start() {
  const log: string[] = [];
  let runs = 0;
  const automatic = createAutomaticRun({ flushIntervalMs: 1000 }, () => {
    const name = `run ${(runs += 1)}`;
    log.push(`${name} starts`);
    const run: Partial<Run> = { complete: () => log.push(`${name} ends`) };
    return run as Run;
  });
  return { automatic, log };
}

test('records within the interval share a run, and later ones get another run', () => {
  const { automatic, log } = start();
  const first = automatic.get();
  vi.advanceTimersByTime(999);
  expect(automatic.get()).toBe(first);
  vi.advanceTimersByTime(1);
  expect(automatic.isOpen()).toBe(false);
  expect(automatic.get()).not.toBe(first);
  vi.advanceTimersByTime(1000);
  expect(log).toEqual(['run 1 starts', 'run 1 ends', 'run 2 starts', 'run 2 ends']);
});

test('the timer of a run that was ended early does not end the next run', () => {
  const { automatic, log } = start();
  automatic.get();
  vi.advanceTimersByTime(600);
  automatic.end();
  expect(automatic.isOpen()).toBe(false);
  automatic.get();
  vi.advanceTimersByTime(600);
  expect([automatic.isOpen(), log]).toEqual([true, ['run 1 starts', 'run 1 ends', 'run 2 starts']]);
  automatic.end();
  automatic.end();
  expect(log.filter((line) => line.endsWith('ends'))).toEqual(['run 1 ends', 'run 2 ends']);
});
