import { expect, test } from 'vitest';
import { advanceCounter, type Counter, type CounterPoint } from './counter-rules.ts';

const point = (at: number, value: number, isDelta: boolean): CounterPoint => ({
  series: 's',
  agent_name: 'claude-code',
  user_id: null,
  measure: 'lines_added',
  at,
  value,
  isDelta,
});
const after = (...points: CounterPoint[]): Counter | undefined =>
  points.reduce<Counter | undefined>(advanceCounter, undefined);

test('differences are added, and one that is sent again is ignored', () => {
  const points = [point(10, 3, true), point(20, 4, true), point(20, 4, true)];
  expect(after(...points)).toEqual({ started_at: 10, seen_at: 20, value: 7 });
});

test('the last of several running totals counts', () => {
  const points = [point(10, 3, false), point(20, 7, false), point(10, 3, false)];
  expect(after(...points)).toEqual({ started_at: 10, seen_at: 20, value: 7 });
});
