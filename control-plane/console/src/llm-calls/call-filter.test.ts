import { expect, test } from 'vitest';
import { callFilterOf, filtersCalls } from './call-filter.ts';

const inAddress = (address: string) => {
  const params = new URLSearchParams(address);
  return callFilterOf({
    get: (name) => params.get(name) ?? '',
    all: (name) => params.getAll(name),
  });
};

test.each([
  ['', {}],
  ['search=+refund+&agent=support', { search: 'refund', agent: 'support' }],
  ['model=gpt-4o&model=o3', { model: ['gpt-4o', 'o3'] }],
  ['min_cost=0.5&max_cost=2', { min_cost: 0.5, max_cost: 2 }],
  ['min_tokens=10&max_tokens=1.5', { min_tokens: 10 }],
  ['min_cost=much&max_cost=&min_tokens=Infinity', {}],
  ['prompt=prm_1&version=3', { prompt: 'prm_1', prompt_version: 3 }],
  ['prompt=prm_1&version=-1', { prompt: 'prm_1' }],
  ['version=3', {}],
  ['min_duration=1.1&max_duration=2.0005', { min_duration_ms: 1100, max_duration_ms: 2000 }],
  ['min_duration=long&max_duration=Infinity', {}],
  ['sort=-duration_ms', { sort: '-duration_ms' }],
  ['sort=-cost', { sort: '-cost' }],
  ['sort=toString', {}],
])('%j filters by %j', (address, filter) => expect(inAddress(address)).toEqual(filter));

test('sorting does not count as a filter', () => {
  expect(filtersCalls({ sort: 'cost' })).toBe(false);
  expect(filtersCalls({ sort: 'cost', min_cost: 0 })).toBe(true);
});
