import { expect, test } from 'vitest';
import { collapsedFilterCount, runFilterOf, runSortOf } from './run-filter.ts';

const inAddress = (address: string) => {
  const params = new URLSearchParams(address);
  return {
    get: (name: string) => params.get(name) ?? '',
    all: (name: string) => params.getAll(name),
  };
};

test.each([
  ['', {}],
  ['search=+refund+&agent=support', { search: 'refund', agent: 'support' }],
  ['status=error&has_error=true', { status: 'error', has_error: 'true' }],
  ['status=lost&has_error=yes&verdict=shout', {}],
  ['verdict=block&score=quality', { verdict: 'block', score: 'quality' }],
  [
    'score=quality&score_value=good&min_score=-1',
    { score: 'quality', score_value: 'good', min_score: -1 },
  ],
  ['score_value=good&max_score=1', {}],
  ['model=a&model=b&tag=prod', { model: ['a', 'b'], tag: ['prod'] }],
  [
    'min_cost=0.5&max_duration=2.5&min_tokens=10',
    { min_cost: 0.5, max_duration: 2.5, min_tokens: 10 },
  ],
  ['min_cost=much&max_tokens=1.5&max_cost=', {}],
])('%j filters by %j', (address, filter) =>
  expect(runFilterOf(inAddress(address))).toEqual(filter),
);

test.each([
  ['sort=-cost', '-cost'],
  ['sort=toString', '-started_at'],
  ['', '-started_at'],
])('%j is sorted by %s', (address, sort) => expect(runSortOf(inAddress(address))).toBe(sort));

test('the filters that the toolbar collapses are counted', () => {
  expect(collapsedFilterCount({ agent: 'a', search: 'x', status: 'error' })).toBe(0);
  expect(collapsedFilterCount({ user: 'a', min_cost: 0, tag: ['x'] })).toBe(3);
});
