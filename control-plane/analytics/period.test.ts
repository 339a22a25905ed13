import { expect, test } from 'vitest';
import { dateOf, hoursOf, startOfHour } from './period.ts';

test.each([
  ['1d', '2026-03-02T10:59:59.999Z', '2026-03-01T10:00:00.000Z'],
  ['7d', '2026-03-02T10:00:00.000Z', '2026-02-23T10:00:00.000Z'],
  ['30d', '2026-03-02T00:00:00.000Z', '2026-01-31T00:00:00.000Z'],
] as const)('%s until %s begins with a full hour', (period, now, start) => {
  const { from, to } = hoursOf(period, Date.parse(now));
  expect(new Date(startOfHour(from)).toISOString()).toBe(start);
  expect(new Date(startOfHour(to)).toISOString()).toBe(`${now.slice(0, 13)}:00:00.000Z`);
});

test('a day since 1970 is converted to its date', () => {
  expect([0, 19_782, 20_454].map(dateOf)).toEqual(['1970-01-01', '2024-02-29', '2026-01-01']);
});
