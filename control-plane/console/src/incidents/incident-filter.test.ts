import { expect, test } from 'vitest';
import { evaluationFilterOf, incidentFilterOf } from './incident-filter.ts';

const filtersOf = (query: string) => {
  const params = new URLSearchParams(query);
  return { get: (name: string) => params.get(name) ?? '' };
};

test.each([
  ['', {}, {}],
  ['status=open&action=block', { status: 'open', action: 'block' }, { action: 'block' }],
  ['phase=mid_execution', {}, { phase: 'mid_execution' }],
  ['status=closed&action=explode&phase=later', {}, {}],
  [
    'category=budget&agent=support',
    { category: 'budget', agent: 'support' },
    { category: 'budget', agent: 'support' },
  ],
])('%s', (query, incidentFilter, evaluationFilter) => {
  expect(incidentFilterOf(filtersOf(query))).toEqual(incidentFilter);
  expect(evaluationFilterOf(filtersOf(query))).toEqual(evaluationFilter);
});
