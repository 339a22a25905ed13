import { expect, test } from 'vitest';
import { createPricer } from './pricer.ts';
import { openPrices } from './operator-price-file.ts';
import type { Usage } from './rate-schedule.ts';
import { recordedCost } from './recorded-cost.ts';

const price = createPricer(await (await openPrices(undefined))());
const NONE: Usage = {
  model: 'gpt-4o',
  provider: null,
  tokens_in: 0,
  tokens_out: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
};

test.each([
  ['a cost stays', 0.5, { tokens_in: 1000 }, 0.5, 'given'],
  ['no cost is computed', null, { tokens_in: 1000, tokens_out: 500 }, 0.0075, 'table'],
  ['nor is an undefined one', undefined, { tokens_in: 1000 }, 0.0025, 'table'],
  ['0 with tokens is no price', 0, { tokens_in: 1000, tokens_out: 500 }, 0.0075, 'table'],
  ['0 with tokens that came out', 0, { tokens_out: 1000 }, 0.01, 'table'],
  ['0 with tokens from a cache alone', 0, { cache_read_tokens: 1000 }, 0.00125, 'table'],
  ['0 for an unknown model', 0, { model: 'our-own', tokens_in: 1 }, 0, 'unpriced'],
  ['0 for a model that is free', 0, { model: 'mistral-nemo:free', tokens_in: 1 }, 0, 'table'],
  ['0 without tokens stays', 0, {}, 0, 'given'],
] as const)('%s', (_name, given, usage, cost, cost_source) => {
  expect(recordedCost(given, { ...NONE, ...usage }, { price, at: 0 })).toEqual({
    cost,
    cost_source,
  });
});
