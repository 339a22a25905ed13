import { expect, test } from 'vitest';
import type { ModelPrice } from '../data/settings-sources.ts';
import { formatRate, matchingPrices, rateOf } from './price-list.ts';

const price = (model_id: string, source: ModelPrice['source']): ModelPrice => ({
  model_id,
  provider: 'openai',
  input_cost_per_million: 1,
  output_cost_per_million: 1,
  cache_read_cost_per_million: 1,
  cache_write_cost_per_million: 1,
  currency: 'USD',
  is_override: source === 'override',
  source,
  updated_at: null,
});
const prices = [price('gpt-4o', 'table'), price('gpt-5', 'file'), price('own-model', 'override')];

test.each([
  ['', '', ['own-model', 'gpt-4o', 'gpt-5']],
  ['GPT', '', ['gpt-4o', 'gpt-5']],
  ['openai', 'file', ['gpt-5']],
  ['', 'override', ['own-model']],
  ['nothing', '', []],
])('the search for %j in %j finds %o', (text, source, found) =>
  expect(matchingPrices(prices, text, source).map(({ model_id }) => model_id)).toEqual(found),
);

test.each([
  ['2.5', 2.5],
  ['0', 0],
  ['', undefined],
  ['-1', undefined],
  ['many', undefined],
  ['1000001', undefined],
])('the rate %j is parsed as %s', (text, rate) => expect(rateOf(text)).toBe(rate));

test.each([
  [2.5, '$2.50'],
  [0.075, '$0.075'],
  [1200, '$1,200.00'],
  [1_000_000, '$1M'],
])('%s is formatted as %s', (rate, text) => expect(formatRate(rate)).toBe(text));
