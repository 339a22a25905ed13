import { describe, expect, test } from 'vitest';
import { fromLocal, queryOf, timeRangeOf, toLocal } from './time-range.ts';

const now = Date.UTC(2026, 10, 21, 12);
const inAddress = (address: string) => {
  const params = new URLSearchParams(address);
  return timeRangeOf({ get: (name) => params.get(name) ?? '' });
};

describe('the time range of a URL', () => {
  test.each([
    ['', {}],
    ['since=7d', { since: '7d' }],
    ['since=7d&start=2026-11-01', { since: '7d' }],
    ['since=toString', {}],
    ['start=2026-11-01T10:00:00Z', { start: '2026-11-01T10:00:00.000Z' }],
    ['start=yesterday&end=2026-11-02T00:00:00Z', { end: '2026-11-02T00:00:00.000Z' }],
  ])('%j is parsed as %j', (address, range) => expect(inAddress(address)).toEqual(range));
});

test('a period ends now', () => {
  expect(queryOf({ since: '1d' }, now)).toEqual({ start: '2026-11-20T12:00:00.000Z' });
  const between = { start: '2026-11-01T10:00:00.000Z', end: '2026-11-02T10:00:00.000Z' };
  expect(queryOf(between, now)).toEqual(between);
});

test('a time can be read back from its field, to the minute', () => {
  const moment = '2026-03-29T10:30:00.000Z';
  expect(fromLocal(toLocal(moment))).toBe(moment);
  expect(toLocal(moment)).toHaveLength('2026-03-29T10:30'.length);
  expect(fromLocal('')).toBe('');
});
