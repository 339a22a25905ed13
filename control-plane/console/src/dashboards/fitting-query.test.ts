import { expect, test } from 'vitest';
import { fittingInterval, queryOfWidget } from './fitting-query.ts';

const NOW = Date.parse('2026-03-10T00:00:00Z');

test.each([
  ['day', { since: '1d' }, 'hour'],
  ['day', { since: '7d' }, 'day'],
  ['hour', { since: '30d' }, 'day'],
  ['week', { since: '7d' }, 'day'],
  ['day', { start: '2025-01-01T00:00:00Z' }, 'week'],
  ['none', { since: '1d' }, 'none'],
  ['day', {}, 'day'],
] as const)('for a grouping by %s over %j, the interval is %s', (interval, range, shown) => {
  expect(fittingInterval(interval, range, NOW)).toBe(shown);
});

test('a filter of the page replaces the same filter of the widget', () => {
  const query = {
    measure: 'cost',
    group_by: 'agent',
    interval: 'day',
    top: 20,
    filters: { agent: 'a', user: 'u' },
  } as const;
  const page = { agent: 'b' };
  const line = queryOfWidget({ chart: 'line', query }, page, { since: '7d' }, NOW);
  expect(line).toMatchObject({ interval: 'day', top: 7, filters: { agent: 'b', user: 'u' } });
  const bars = queryOfWidget({ chart: 'bar', query }, {}, { since: '7d' }, NOW);
  expect(bars).toMatchObject({ interval: 'none', top: 20, group_by: 'agent' });
  const number = queryOfWidget({ chart: 'number', query }, {}, { since: '7d' }, NOW);
  expect(number).toMatchObject({ interval: 'day', group_by: 'none' });
});
