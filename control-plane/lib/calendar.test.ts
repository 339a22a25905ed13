import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { endOfPeriod, usagePeriods } from '#contract/usage-period.ts';
import { wallClock, startOfPeriod } from './calendar.ts';

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/Los_Angeles',
  'Asia/Kolkata',
  // In this zone clocks skip midnight.
  'America/Santiago',
  'Pacific/Auckland',
];

const begin = (period: 'day' | 'week' | 'month', at: string, zone: string): string =>
  new Date(startOfPeriod(period, Date.parse(at), zone)).toISOString();

test('days, weeks and months begin at midnight in the zone', () => {
  expect(begin('day', '2026-03-29T21:59:00Z', 'Europe/Berlin')).toBe('2026-03-28T23:00:00.000Z');
  expect(begin('day', '2026-03-29T22:00:00Z', 'Europe/Berlin')).toBe('2026-03-29T22:00:00.000Z');
  expect(begin('week', '2026-03-31T10:00:00Z', 'Europe/Berlin')).toBe('2026-03-29T22:00:00.000Z');
  expect(begin('week', '2026-03-29T12:00:00Z', 'UTC')).toBe('2026-03-23T00:00:00.000Z');
  expect(begin('month', '2026-03-31T22:30:00Z', 'Europe/Berlin')).toBe('2026-03-31T22:00:00.000Z');
  expect(begin('month', '2026-03-31T18:00:00Z', 'Asia/Kolkata')).toBe('2026-02-28T18:30:00.000Z');
});

test('the periods of one moment are read from the time zone once', () => {
  const read = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
  const now = Date.parse('2026-10-05T10:00:00Z');
  const starts = () => usagePeriods.map((period) => startOfPeriod(period, now, 'Asia/Tokyo'));
  const first = starts();
  const reads = read.mock.calls.length;
  expect(starts()).toEqual(first);
  expect([reads > 0, read.mock.calls.length]).toEqual([true, reads]);
  read.mockRestore();
});

test('a day begins after midnight where clocks skip it', () => {
  expect(begin('day', '2026-09-06T12:00:00Z', 'America/Santiago')).toBe('2026-09-06T04:00:00.000Z');
});

test('periods are adjacent without gap or overlap, and contain the time', () => {
  const time = fc.integer({ min: Date.parse('2020-01-01'), max: Date.parse('2035-01-01') });
  fc.assert(
    fc.property(
      time,
      fc.constantFrom(...zones),
      fc.constantFrom(...usagePeriods),
      (at, zone, period) => {
        const start = startOfPeriod(period, at, zone);
        const end = endOfPeriod(period, start, (time) => wallClock(time, zone));
        expect(start).toBeLessThanOrEqual(at);
        expect(end).toBeGreaterThan(at);
        expect(startOfPeriod(period, end - 1, zone)).toBe(start);
        expect(startOfPeriod(period, end, zone)).toBe(end);
        expect(wallClock(start - 1, zone).date < wallClock(start, zone).date).toBe(true);
      },
    ),
    { numRuns: 500 },
  );
});
