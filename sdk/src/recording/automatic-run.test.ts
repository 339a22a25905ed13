import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAutomaticRun } from './automatic-run.ts';
import type { Run } from './types.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Notes which runs were started and completed. */
function start() {
  const told: string[] = [];
  let runs = 0;
  const automatic = createAutomaticRun({ flushIntervalMs: 1000 }, () => {
    const name = `run ${(runs += 1)}`;
    told.push(`${name} starts`);
    const run: Partial<Run> = { complete: () => told.push(`${name} ends`) };
    return run as Run;
  });
  return { automatic, told };
}

test('records that come together share a run, and later ones have another', () => {
  const { automatic, told } = start();
  const first = automatic.get();
  vi.advanceTimersByTime(999);
  expect(automatic.get()).toBe(first);
  vi.advanceTimersByTime(1);
  expect(automatic.isOpen()).toBe(false);
  expect(automatic.get()).not.toBe(first);
  vi.advanceTimersByTime(1000);
  expect(told).toEqual(['run 1 starts', 'run 1 ends', 'run 2 starts', 'run 2 ends']);
});

test('a run that is ended early is over, and its time ends no other', () => {
  const { automatic, told } = start();
  automatic.get();
  vi.advanceTimersByTime(600);
  automatic.end();
  expect(automatic.isOpen()).toBe(false);
  automatic.get();
  vi.advanceTimersByTime(600);
  expect([automatic.isOpen(), told]).toEqual([
    true,
    ['run 1 starts', 'run 1 ends', 'run 2 starts'],
  ]);
  automatic.end();
  automatic.end();
  expect(told.filter((line) => line.endsWith('ends'))).toEqual(['run 1 ends', 'run 2 ends']);
});
