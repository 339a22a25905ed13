import { expect, test } from 'vitest';
import { collapsedFilterCount, scoreFilterOf, scoreSortOf } from './score-filter.ts';

const filtersOf = (search: string) => ({
  get: (name: string) => new URLSearchParams(search).get(name) ?? '',
});

test.each([
  ['', {}],
  ['name=quality&agent=a', { name: 'quality', agent: 'a' }],
  ['source=manual&type=numeric', { source: 'manual', data_type: 'numeric' }],
  ['source=dice&type=text', {}],
  ['min_value=-1.5&max_value=0', { min_value: -1.5, max_value: 0 }],
  ['min_value=x', {}],
  ['run=7&call=0', { run_id: 7 }],
  ['run=1.5&call=-2&value=good', { value: 'good' }],
])('%j filters by %j', (search, filter) =>
  expect(scoreFilterOf(filtersOf(search))).toEqual(filter),
);

test.each([
  ['', '-created_at'],
  ['sort=numeric_value', 'numeric_value'],
  ['sort=-run_agent_name', '-run_agent_name'],
  ['sort=comment', '-created_at'],
])('%j is sorted by %s', (search, sort) => expect(scoreSortOf(filtersOf(search))).toBe(sort));

test('the filters that the toolbar collapses are counted', () => {
  expect(collapsedFilterCount({ name: 'x', agent: 'a', source: 'sdk' })).toBe(0);
  expect(collapsedFilterCount({ min_value: 0, run_id: 1 })).toBe(2);
});
