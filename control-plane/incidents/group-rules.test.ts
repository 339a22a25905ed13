import { expect, test } from 'vitest';
import { HOUR_MS, obeyedOf, trendOf } from './group-rules.ts';

const NOW = Date.UTC(2026, 5, 15, 12, 30);

test.each([
  ['two weeks by default', {}, { points: 23, step: 15 * HOUR_MS }],
  ['a day hour by hour', { start: NOW - 23 * HOUR_MS }, { points: 24, step: HOUR_MS }],
  ['an hour', { start: NOW - 1000 }, { points: 1, step: HOUR_MS }],
  ['a start in the future', { start: NOW + HOUR_MS }, { points: 1, step: HOUR_MS }],
])('%s', (_name, range, expected) => {
  const trend = trendOf({ start: undefined, end: undefined, now: NOW, ...range });
  expect(trend).toMatchObject(expected);
  expect(trend.start % HOUR_MS).toBe(0);
  expect(trend.start + trend.points * trend.step).toBeGreaterThan(NOW);
});

const run = { at: 100, completed_at: 200, went_on: false, in_doubt: false };
test.each([
  ['a run that ended without another record', run, 'yes'],
  ['a run with a later record', { ...run, went_on: true, in_doubt: true }, 'no'],
  ['a run with a record that may be older', { ...run, in_doubt: true }, 'unknown'],
  ['a run that still runs', { ...run, completed_at: null }, 'unknown'],
  ['a run that was over', { ...run, completed_at: 100, went_on: true }, null],
] as const)('whether the agent obeyed in %s: %s', (_name, facts, expected) => {
  expect(obeyedOf(facts)).toBe(expected);
});
