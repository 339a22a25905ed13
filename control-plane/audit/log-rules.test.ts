import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesFilter, splitByDay } from './log-rules.ts';
import { DAY_MS } from '../lib/days.ts';

const moment = fc.oneof(
  fc.integer({ min: 0, max: 5 * DAY_MS }),
  fc.integer({ min: 0, max: 5 }).map((day) => day * DAY_MS),
);

test('whole days and parts of days together are the range, and none is in two', () => {
  fc.assert(
    fc.property(moment, moment, moment, (a, b, at) => {
      const range = { start_date: Math.min(a, b), end_date: Math.max(a, b) };
      const { days, parts } = splitByDay(range);
      const day = Math.floor(at / DAY_MS);
      const holding = [
        ...(day >= days.from && day < days.to ? [days] : []),
        ...parts.filter(({ from, to }) => at >= from && at < to),
      ];
      expect(holding.length).toBe(at >= range.start_date && at < range.end_date ? 1 : 0);
    }),
  );
});

test('what has no end needs nothing but days', () => {
  expect(splitByDay({})).toEqual({ days: { from: 0, to: Infinity }, parts: [] });
});

test.each([
  [{}, true],
  [{ action: '*' }, true],
  [{ action: 'policy.update' }, true],
  [{ action: 'policy.*' }, true],
  [{ action: 'pol*' }, true],
  [{ action: 'policy' }, false],
  [{ action: 'prompt.*' }, false],
  [{ actor_type: 'user' as const }, true],
  [{ actor_type: 'agent' as const }, false],
  [{ actor_type: 'agent' as const, action: 'policy.*' }, false],
])('%j asks for what a user did to a policy: %s', (filter, expected) => {
  expect(matchesFilter(filter)({ actor_type: 'user', action: 'policy.update' })).toBe(expected);
});
