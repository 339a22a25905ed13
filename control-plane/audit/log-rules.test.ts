import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesFilter, splitByDay } from './log-rules.ts';
import { DAY_MS } from '#lib/time-units.ts';

const time = fc.oneof(
  fc.integer({ min: 0, max: 5 * DAY_MS }),
  fc.integer({ min: 0, max: 5 }).map((day) => day * DAY_MS),
);

test('whole days and partial days together cover the range without overlap', () => {
  fc.assert(
    fc.property(time, time, time, (a, b, at) => {
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

test('a range without an end needs only whole days', () => {
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
])('%j matches a policy change by a user: %s', (filter, expected) => {
  expect(matchesFilter(filter)({ actor_type: 'user', action: 'policy.update' })).toBe(expected);
});
