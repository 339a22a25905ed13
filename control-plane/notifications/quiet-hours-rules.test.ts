import { expect, test } from 'vitest';
import type { QuietHours } from '#contract/notifications.ts';
import { quietUntil } from './quiet-hours-rules.ts';

const quiet = (periods: QuietHours['periods'], time_zone = 'Europe/Berlin'): QuietHours => ({
  time_zone,
  periods,
  during: 'hold',
});
const nights = quiet([{ days: [1, 2, 3, 4, 5], from: '22:00', to: '07:00' }]);
const weekend = { days: [6, 7], from: '00:00', to: '00:00' };

const until = (of: QuietHours, time: string): string | null => {
  const end = quietUntil(of, Date.parse(time));
  return end === null ? null : new Date(end).toISOString();
};

// 2 March 2026 is a Monday, and Berlin is one hour ahead of UTC.
test.each([
  ['before it begins', '2026-03-02T20:59:59Z', null],
  ['as it begins', '2026-03-02T21:00:00Z', '2026-03-03T06:00:00.000Z'],
  ['after midnight', '2026-03-03T01:30:30Z', '2026-03-03T06:00:00.000Z'],
  ['as it ends', '2026-03-03T06:00:00Z', null],
  ['the night of Friday ends on Saturday', '2026-03-06T23:30:00Z', '2026-03-07T06:00:00.000Z'],
  ['the night of Saturday is not listed', '2026-03-07T22:30:00Z', null],
])('nights of weekdays: %s', (_when, time, end) => {
  expect(until(nights, time)).toBe(end);
});

test('adjacent periods have one end', () => {
  const both = quiet([...nights.periods, weekend, { days: [7], from: '22:00', to: '07:00' }]);
  expect(until(both, '2026-03-06T22:00:00Z')).toBe('2026-03-09T06:00:00.000Z');
});

test('the length of a day follows the local clock when daylight saving time begins and ends', () => {
  const night = quiet([{ days: [6], from: '22:00', to: '07:00' }]);
  expect(until(night, '2026-03-28T22:00:00Z')).toBe('2026-03-29T05:00:00.000Z');
  expect(until(night, '2026-10-24T21:00:00Z')).toBe('2026-10-25T06:00:00.000Z');
});

test('the same local hours are at other times in another time zone', () => {
  const tokyo = quiet(nights.periods, 'Asia/Tokyo');
  expect(until(tokyo, '2026-03-02T12:59:00Z')).toBeNull();
  expect(until(tokyo, '2026-03-02T13:00:00Z')).toBe('2026-03-02T22:00:00.000Z');
});

test('even if a whole week is quiet, the quiet hours end', () => {
  const always = quiet([{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' }]);
  const end = quietUntil(always, Date.parse('2026-03-02T12:00:00Z')) ?? Infinity;
  expect(end).toBeLessThan(Date.parse('2026-03-20T00:00:00Z'));
});
