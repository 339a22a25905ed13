import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { localSignals, type Signal } from '../storage/signals.ts';
import { throttledRunSignals } from './signal-changed-runs.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns what is published for these runs once the throttle interval has passed. */
function published(runs: readonly (readonly [tenant: string, id: number])[]): Signal[] {
  const signals = localSignals();
  const heard: Signal[] = [];
  signals.subscribe((signal) => heard.push(signal));
  const notify = throttledRunSignals(signals);
  for (const [tenant_id, id] of runs) notify({ tenant_id, id });
  expect(heard).toEqual([]);
  vi.advanceTimersByTime(100);
  return heard;
}

test('a run that changes often is published once per tenant', () => {
  expect(
    published([
      ['a', 1],
      ['a', 1],
      ['b', 1],
      ['a', 2],
    ]),
  ).toEqual([
    { tenant_id: 'a', topic: 'runs', run_id: 1 },
    { tenant_id: 'a', topic: 'runs', run_id: 2 },
    { tenant_id: 'b', topic: 'runs', run_id: 1 },
  ]);
});

test('for very many runs, only one signal without run ids is published', () => {
  const many = Array.from({ length: 21 }, (_, id) => ['a', id] as const);
  expect(published([...many, ['b', 1]])).toEqual([
    { tenant_id: 'a', topic: 'runs' },
    { tenant_id: 'b', topic: 'runs', run_id: 1 },
  ]);
});
