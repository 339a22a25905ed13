import { describe, expect, test } from 'vitest';
import { findConfigured, type ConfiguredPrice } from './operator-and-tenant-prices.ts';
import { listModelCosts } from './listing.ts';
import { createPricer } from './pricer.ts';
import { openPrices } from './operator-price-file.ts';

const prices = await (await openPrices(undefined))();
const NOW = Date.UTC(2026, 10, 20, 12);

/** Creates prices that can be identified by the cost of a million input tokens. */
const at = (
  model_id: string,
  input_cost_per_million: number,
  more: Partial<ConfiguredPrice> = {},
) => ({
  model_id,
  input_cost_per_million,
  output_cost_per_million: 0,
  cache_read_cost_per_million: null,
  cache_write_cost_per_million: null,
  ...more,
});

const USAGE = {
  provider: null,
  tokens_in: 1_000_000,
  tokens_out: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
};

const costOf = (overrides: ConfiguredPrice[], model: string, provider: string | null = null) =>
  createPricer(prices, overrides)({ ...USAGE, model, provider }, NOW);

describe('precedence of overrides', () => {
  const overrides = [
    at('gpt-4o', 1),
    at('gpt-4o-2024-08-06', 2),
    at('azure/gpt-4o', 3),
    at('our-model', 4),
    at('our-', 5),
    at('our-big-', 6),
    at('acme/', 7),
    at('bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0', 8),
    at('claude-3-5-haiku-latest', 9),
    at('ollama/llama3', 10),
    at('Meta-Llama/Llama-9', 11),
    at('groq/llama-3.3-70b-versatile', 12),
  ];
  test.each([
    ['gpt-4o', null, 1],
    ['GPT-4o', null, 1],
    ['openai/gpt-4o', null, 1],
    ['gpt-4o', 'openai', 1],
    // This is another release of the model, but not another model.
    ['gpt-4o-2024-11-20', null, 1],
    ['gpt-4o-2024-08-06', null, 2],
    ['gpt-4o-mini', null, 0.15],
    // A provider's own price takes precedence over one for any provider.
    ['gpt-4o', 'azure', 3],
    ['gpt-4o', 'azure.ai.openai', 3],
    ['azure/gpt-4o', null, 3],
    ['llama-3.3-70b-versatile', 'groq', 12],
    ['llama-3.3-70b-versatile', null, 12],
    ['our-model', 'whatever', 4],
    // This is a prefix of the tenant, not the longest listed prefix of another model.
    ['our-model-v2', null, 4],
    ['our-new', null, 5],
    ['our-big-model', null, 6],
    ['ours', null, 0],
    ['acme/anything', null, 7],
    ['acme', null, 0],
    ['anthropic.claude-sonnet-4-5-20250929-v1:0', 'aws.bedrock', 8],
    // These are all names of the row in the system table that has this id.
    ['claude-3-5-haiku-20241022', 'anthropic', 9],
    ['ollama/llama3', null, 10],
    ['llama3', 'ollama', 10],
    ['meta-llama/llama-9', null, 11],
  ])('for %s at %s: %d', (model, provider, cost) => {
    expect(costOf(overrides, model, provider).cost).toBe(cost);
  });
});

describe('an override of a shorter name', () => {
  const priced = (overrides: ConfiguredPrice[], model: string, provider: string | null = null) => {
    const { cost, cost_source } = costOf(overrides, model, provider);
    return [cost, cost_source];
  };
  test.each([
    ['llama3.3:70b-instruct', 'ollama', 'llama3.3', 7, 'override_prefix'],
    ['llama3.3:70b-instruct', null, 'llama3.3:70b', 7, 'override_prefix'],
    ['our-model-2030-01-01', null, 'our-model', 7, 'override_prefix'],
    ['gpt-4o-2030-01-01', null, 'gpt-4o', 7, 'override_prefix'],
    ['gpt-4o-2030-01-01', 'openai', 'openai/gpt-4o', 7, 'override_prefix'],
    // Names that the table lists have its price, whatever a shorter name costs.
    ['gpt-4o-mini', null, 'gpt-4o', 0.15, 'table'],
    ['gpt-4o-2024-05-13', null, 'gpt-4o', 5, 'table'],
    // The longest prefix in any of the lists applies.
    ['gpt-4o-mini-2030-01-01', null, 'gpt-4o', 0.15, 'table_prefix'],
    ['gpt-4o-mini-2030-01-01', null, 'gpt-4o-mini', 7, 'override_prefix'],
    ['claude-3-5-haiku-20300101', null, 'claude-3-5-haiku-latest', 7, 'override_prefix'],
    ['our-modeled', null, 'our-model', 0, 'unpriced'],
    // An id that ends in a separator applies to all names with that prefix.
    ['gpt-4o-mini', null, 'gpt-', 7, 'override'],
    ['gpt-4o-2030-01-01', null, 'gpt-', 7, 'override'],
  ])('for %s at %s, with a price for %s: %d, %s', (model, provider, id, cost, source) => {
    expect(priced([at(id, 7)], model, provider)).toEqual([cost, source]);
  });

  test('is overridden by the name itself, and by a longer prefix', () => {
    const overrides = [at('our-model', 1), at('our-model-big', 2), at('our-', 3)];
    expect(priced(overrides, 'our-model-big')).toEqual([2, 'override']);
    expect(priced(overrides, 'our-model-big:q4')).toEqual([2, 'override_prefix']);
    expect(priced(overrides, 'our-model-small')).toEqual([1, 'override_prefix']);
    expect(priced(overrides, 'our-own')).toEqual([3, 'override']);
  });

  test('the tenant’s list and the longer name take precedence', () => {
    const file = [at('our-model', 1), at('our-model-big', 2)];
    const both = { ...prices, file, findInFile: findConfigured(file) };
    const price = (model: string) =>
      createPricer(both, [at('our-model', 3)])({ ...USAGE, model }, NOW);
    expect(price('our-model-small')).toEqual({ cost: 3, cost_source: 'override_prefix' });
    expect(price('our-model-big')).toEqual({ cost: 2, cost_source: 'file' });
    expect(price('our-model-big-v2')).toEqual({ cost: 2, cost_source: 'file_prefix' });
  });

  test('does not apply to names that the table lists', () => {
    const rows = listModelCosts(prices, [{ ...at('gpt-4o', 7), updated_at: NOW }], NOW);
    const source = (id: string) => rows.find(({ model_id }) => model_id === id)?.source;
    expect([source('gpt-4o'), source('gpt-4o-mini')]).toEqual(['override', 'table']);
  });

  test('that is 0 makes the model free', () => {
    expect(priced([at('llama3.3', 0)], 'llama3.3:70b')).toEqual([0, 'override_prefix']);
    expect(priced([at('llama3.3', 0)], 'llama3.3')).toEqual([0, 'override']);
  });
});

describe('cached tokens of an override', () => {
  const usage = {
    model: 'gpt-4o',
    provider: null,
    tokens_in: 1_000_000,
    tokens_out: 0,
    cache_read_tokens: 1_000_000,
    cache_write_tokens: 0,
  };
  test.each([
    ['keep their share of the input rate', at('gpt-4o', 2), 1],
    ['are billed as given', at('gpt-4o', 2, { cache_read_cost_per_million: 0.5 }), 0.5],
    ['may be free', at('gpt-4o', 2, { cache_read_cost_per_million: 0 }), 0],
    ['are free where input is', at('gpt-4o', 0), 0],
  ])('%s', (_, override, cost) => {
    expect(createPricer(prices, [override])(usage, NOW)).toEqual({ cost, cost_source: 'override' });
  });
  test('are billed as input if no cache rate is known', () => {
    const own = { ...usage, model: 'our-model' };
    expect(createPricer(prices, [at('our-model', 2)])(own, NOW).cost).toBe(2);
  });
});
