import { expect, test } from 'vitest';
import { forecastOf, startOfMonth } from './month-rules.ts';

test('the forecast extrapolates the month so far', () => {
  const now = Date.parse('2026-02-08T00:00:00Z');
  expect(new Date(startOfMonth(now)).toISOString()).toBe('2026-02-01T00:00:00.000Z');
  expect(forecastOf(14, now)).toEqual({ cost: 56, elapsed: 7, days: 28 });
  expect(forecastOf(0, now)?.cost).toBe(0);
});

test('December has 31 days', () => {
  expect(forecastOf(10, Date.parse('2026-12-11T00:00:00Z'))?.cost).toBe(31);
});

test('there is no forecast on the first day', () => {
  expect(forecastOf(10, Date.parse('2026-02-01T23:00:00Z'))).toBeUndefined();
});
