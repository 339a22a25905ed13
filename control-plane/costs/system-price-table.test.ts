import { calcPrice, type Provider, waitForUpdate } from '@pydantic/genai-prices';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withCorrections, corrections } from './price-package-corrections.ts';
import { costAt, ratesAt } from './rate-schedule.ts';
import { priceQueryOf } from './model-names.ts';
import { loadSystemTable } from './system-price-table.ts';

const table = await loadSystemTable();
const providers = withCorrections((await waitForUpdate()) as Provider[]);

const found = (provider: string | null, model: string): string | null => {
  const price = table.find(provider, model)?.price;
  return price ? `${price.provider} ${price.name}` : null;
};
const isListed = (model: string): boolean => table.find(null, model)?.rest === 0;

describe('names of one model', () => {
  test.each([
    ['openai gpt-4o', 'gpt-4o', 'GPT-4o', ' gpt-4o ', 'gpt-4o-2024-11-20', 'gpt-4o-latest'],
    ['openai gpt-4o', 'openai/gpt-4o', 'openai:gpt-4o', 'azure/gpt-4o', 'azure/eu/gpt-4o'],
    ['openai gpt-4o', 'litellm/openai/gpt-4o', 'litellm_proxy/gpt-4o', 'azure_ai/gpt-4o'],
    ['openai gpt-4o-2024-05-13', 'gpt-4o-2024-05-13', 'openai/gpt-4o-2024-05-13'],
    ['openai gpt-5', 'gpt-5-2025-08-07', 'gpt-5-2027-01-31'],
    ['openai ft:gpt-4o-mini', 'ft:gpt-4o-mini-2024-07-18:acme::abc123'],
    ['openrouter openai/gpt-4o', 'openrouter/openai/gpt-4o', 'OpenRouter/OpenAI/GPT-4o'],
    ['anthropic claude-sonnet-4-5', 'claude-sonnet-4-5-20250929', 'anthropic/claude-sonnet-4.5'],
    ['anthropic claude-sonnet-4-0', 'claude-sonnet-4-20250514', 'anthropic:claude-sonnet-4'],
    ['google claude-4-sonnet', 'vertex_ai/claude-sonnet-4@20250514'],
    ['google gemini-2.5-pro', 'models/gemini-2.5-pro', 'gemini/gemini-2.5-pro'],
    ['google gemini-2.5-pro', 'google-gla:gemini-2.5-pro', 'gemini-2.5-pro-preview-05-06'],
    ['google gemini-2.0-flash', 'gemini-2.0-flash-001', 'gemini-2.0-flash-exp'],
    [
      'google gemini-2.5-flash',
      'projects/p/locations/us-central1/publishers/google/models/gemini-2.5-flash',
      'publishers/google/models/gemini-2.5-flash',
    ],
    [
      'aws regional.anthropic.claude-3-5-sonnet-20240620-v1:0',
      'anthropic.claude-3-5-sonnet-20240620-v1:0',
      'eu.anthropic.claude-3-5-sonnet-20240620-v1:0',
      'anthropic.claude-3-5-sonnet-20240620-v1:0:200k',
    ],
    [
      'aws regional.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'bedrock/converse/us-east-1/anthropic.claude-sonnet-4-5-20250929-v1:0',
      'ca.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    ],
    [
      'aws global.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'global.anthropic.claude-sonnet-4-5-20250929-v1:0',
    ],
    ['groq llama-3.3-70b-versatile', 'groq/llama-3.3-70b-versatile', 'llama-3.3-70b-versatile'],
    ['groq openai/gpt-oss-120b', 'groq/openai/gpt-oss-120b'],
    ['mistral mistral-large', 'mistral-large-2411', 'mistral/mistral-large-latest'],
    ['mistral magistral-medium', 'magistral-medium-2509'],
    ['x-ai grok-4-0709', 'grok-4', 'xai/grok-4-latest', 'x-ai/grok-4'],
    ['openrouter meta-llama/llama-4-maverick', 'meta-llama/llama-4-maverick'],
  ])('%s', (expected, ...names) => {
    expect(names.map((name) => [name, found(null, name)])).toEqual(
      names.map((name) => [name, expected]),
    );
  });
});

test.each([
  ['openai', 'gpt-4o', 'openai gpt-4o'],
  ['openai.responses', 'gpt-4o', 'openai gpt-4o'],
  ['azure.ai.openai', 'gpt-4o', 'openai gpt-4o'],
  ['az.ai.inference', 'openai/gpt-4o', 'openai gpt-4o'],
  ['aws.bedrock', 'amazon.nova-lite-v1:0', 'aws amazon.nova-lite-v1:0'],
  ['gcp.vertex_ai', 'claude-sonnet-4@20250514', 'google claude-4-sonnet'],
  ['google.generative-ai', 'gemini-2.5-pro', 'google gemini-2.5-pro'],
  ['mistral_ai', 'mistral-large-latest', 'mistral mistral-large'],
  ['x_ai', 'grok-4', 'x-ai grok-4-0709'],
  [
    'huggingface-together',
    'deepseek-ai/DeepSeek-R1',
    'huggingface_together deepseek-ai/DeepSeek-R1',
  ],
  // Here OpenAI's client is used with other servers.
  ['openai', 'deepseek-chat', 'deepseek deepseek-chat'],
  ['openai', 'groq/llama-3.3-70b-versatile', 'groq llama-3.3-70b-versatile'],
  ['our-gateway', 'claude-sonnet-4-5', 'anthropic claude-sonnet-4-5'],
  ['openrouter', 'anthropic/claude-sonnet-4-5', 'anthropic claude-sonnet-4-5'],
  // The host sets the price.
  ['groq', 'gpt-4o', null],
  ['groq', 'anthropic/claude-sonnet-4-5', null],
  ['ollama', 'gpt-oss:20b', null],
  ['vllm', 'gpt-4o', null],
])('a call reported by %s for %s is priced as %s', (provider, model, expected) => {
  expect(found(provider, model)).toBe(expected);
});

describe('a name that is not listed is priced by the longest listed one before a `-` or `:`', () => {
  test.each([
    ['claude-sonnet-4-5-20990101', 'anthropic claude-sonnet-4-5', '-20990101'],
    ['claude-sonnet-4-5-20250929', 'anthropic claude-sonnet-4-5', '-20250929'],
    ['claude-fable-5-20990101', 'anthropic claude-fable-5', '-20990101'],
    ['gpt-4o-mini-2030-01-01', 'openai gpt-4o-mini', '-2030-01-01'],
    ['gpt-4o-mini-tts-hd', 'openai gpt-4o-mini-tts', '-hd'],
    ['gpt-4o-latest', 'openai gpt-4o', '-latest'],
    ['gpt-4o-maxi', 'openai gpt-4o', '-maxi'],
    ['gpt-4o:turbo', 'openai gpt-4o', ':turbo'],
    ['o1-ultra', 'openai o1', '-ultra'],
    ['openai/gpt-4o-2030-01-01', 'openai gpt-4o', '-2030-01-01'],
    ['anthropic:claude-sonnet-4-5-x', 'anthropic claude-sonnet-4-5', '-x'],
    ['openrouter/openai/gpt-4o-2030-01-01', 'openrouter openai/gpt-4o', '-2030-01-01'],
    ['azure/eu/gpt-4o-2030-01-01', 'openai gpt-4o', '-2030-01-01'],
    ['claude-sonnet-5-5', 'anthropic claude-sonnet-5', '-5'],
    ['claude-opus-4-6-fast', 'anthropic claude-opus-4-6', '-fast'],
    ['anthropic.claude-sonnet-5-5-v1:0', 'aws regional.anthropic.claude-sonnet-5-v1:0', '-5-v1:0'],
    [
      'us.anthropic.claude-sonnet-4-6-20990101-v1:0',
      'aws regional.anthropic.claude-sonnet-4-6-v1:0',
      '-20990101-v1:0',
    ],
    ['gemini-3.6-flash-lite', 'google gemini-3.6-flash', '-lite'],
    ['gemini-2.5-pro-ultra', 'google gemini-2.5-pro', '-ultra'],
    ['mistral-large-2701', 'mistral mistral-large', '-2701'],
    ['deepseek-chat-v9', 'deepseek deepseek-chat', '-v9'],
    ['meta-llama/llama-4-maverick-20990101', 'openrouter meta-llama/llama-4-maverick', '-20990101'],
  ])('%s: %s', (name, row, rest) => {
    expect([found(null, name), table.find(null, name)?.rest]).toEqual([row, rest.length]);
  });

  test.each([
    'gpt-4o-2024-11-20',
    'ft:gpt-4o-mini-2024-07-18:acme::abc123',
    'claude-sonnet-4-20250514',
    'vertex_ai/claude-sonnet-4@20250514',
    'anthropic.claude-3-5-sonnet-20240620-v1:0',
    'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'claude-sonnet-4-5@us-east5',
    'o1-pro',
    'gpt-4o-mini-tts',
    'mistral-nemo:free',
  ])('%s is listed', (name) => {
    expect(isListed(name)).toBe(true);
  });

  test('the match never ends within a word, and is always the longest', () => {
    const bare = table.list().filter(({ model_id }) => !model_id.startsWith('ft:'));
    const words = fc.stringMatching(/^[a-z]{1,8}$/);
    fc.assert(
      fc.property(fc.constantFrom(...bare), words, fc.boolean(), (row, more, asWord) => {
        const rest = `${asWord ? '-' : ''}${more}`;
        const name = `${row.model_id}${rest}`.toLowerCase();
        const left = table.find(null, name)?.rest ?? 0;
        expect(left === 0 || /[-:]/.test(name[name.length - left] ?? '')).toBe(true);
        expect(asWord && left > rest.length).toBe(false);
      }),
    );
  });

  test('the number of prefixes is limited, even for a name full of separators', () => {
    const { prefixes } = priceQueryOf('a-'.repeat(100));
    expect([prefixes.length, prefixes[0]]).toEqual([16, `${'a-'.repeat(99)}a`]);
  });
});

describe('models that no provider sells are not priced', () => {
  test.each([
    'gpt-5.9-foo',
    'gpt-5.9',
    'gpt-4ox',
    'gpt-4omni',
    'gpt-55',
    'gpt-7',
    'o9',
    'claude-opus-9',
    'claude-opus-9-20290101',
    'claude-sonnet-51',
    'anthropic/claude-haiku-5.5',
    'us.anthropic.claude-opus-9-v1:0',
    'amazon.nova-pro-v2:0',
    'amazon.titan-embed-text-v2:0',
    'meta.llama9-70b-instruct-v1:0',
    'gemini-9-pro',
    'grok-9',
    'llama3.3:70b-instruct',
    'our-own-model',
    'acme/gpt-4o',
    'acme/gpt-4o-mini',
    'meta-llama/Llama-3.1-8B-Instruct',
    'ollama/gpt-4o',
    'ollama/gpt-4o-2030-01-01',
    '',
    ' ',
    '/',
    ':',
    '-',
    'openai/',
    'openai:-',
    '-latest',
    '2024-11-20',
  ])('%j', (model) => {
    expect(found(null, model)).toBe(null);
  });
});

describe('our corrections', () => {
  const at = Date.UTC(2026, 10, 20, 12);
  // The usage is 150,000 uncached tokens, 150,000 from the cache, and 3,000 out.
  const cost = (model: string, provider: string | null, tokens_in: number): number => {
    const price = table.find(provider, model)?.price;
    if (!price) return Number.NaN;
    const cached = { cache_read_tokens: 150_000, cache_write_tokens: 0 };
    const usage = { model, provider, tokens_in, tokens_out: 3000, ...cached };
    return costAt(ratesAt(price.schedule, at), usage);
  };

  test.each([
    ['claude-sonnet-4', null],
    ['claude-sonnet-4-0', null],
    ['claude-sonnet-4-20250514', null],
    ['claude-sonnet-4-20250514', 'anthropic'],
    ['anthropic/claude-sonnet-4-20250514', null],
    ['anthropic/claude-sonnet-4', 'openrouter'],
    ['claude-sonnet-4@20250514', 'gcp.vertex_ai'],
    ['claude-sonnet-4-5-20250929', null],
  ])('the long-context price of %s at %s', (model, provider) => {
    expect(cost(model, provider, 300_000)).toBe(1.0575);
    expect(cost(model, provider, 200_000)).toBe(0.24);
    // There are 50,001 uncached tokens: the first token above the limit raises the price of all of
    // them.
    expect(cost(model, provider, 200_001)).toBe(0.457506);
  });

  test('each correction is still needed, since the package may have the price by now', async () => {
    const given = (await waitForUpdate()) as Provider[];
    for (const { provider, model, prices } of corrections) {
      const row = given.find(({ id }) => id === provider)?.models.find(({ id }) => id === model);
      expect(row?.prices, `${provider} ${model}`).toBeDefined();
      expect(row?.prices).not.toMatchObject(prices);
    }
  });
});

test('every row has a unique name, by which it is found', () => {
  const rows = table.list();
  expect(rows.length).toBeGreaterThan(1400);
  expect(new Set(rows.map(({ model_id }) => model_id.toLowerCase())).size).toBe(rows.length);
  const lost = rows.filter(({ model_id, provider, name }) => {
    const price = table.find(null, model_id)?.price;
    return price?.provider !== provider || price.name !== name;
  });
  expect(lost.map(({ model_id }) => model_id)).toEqual([]);
});

test("every row is found by its provider's name for it", () => {
  const lost = table.list().filter(({ provider, name }) => {
    const price = table.find(provider, name)?.price;
    return price?.provider !== provider || price.name !== name;
  });
  expect(lost.map(({ model_id }) => model_id)).toEqual([]);
});

test('costs equal those computed by the package', () => {
  const models = providers.flatMap((provider) =>
    provider.models.map((model) => ({ provider, model })),
  );
  const time = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2027, 11) });
  const tokens = fc.nat({ max: 1_000_000 });
  fc.assert(
    fc.property(
      fc.constantFrom(...models),
      time,
      fc.tuple(tokens, tokens, tokens, tokens),
      ({ provider, model }, at, [fresh, read, written, out]) => {
        const price = table.find(provider.id, model.id)?.price;
        if (!price) return;
        const input = fresh + read + written;
        const theirs = calcPrice(
          {
            input_tokens: input,
            cache_read_tokens: read,
            cache_write_tokens: written,
            output_tokens: out,
          },
          'it',
          {
            provider: { ...provider, models: [{ ...model, match: { equals: 'it' } }] },
            timestamp: new Date(at),
          },
        );
        const ours = costAt(ratesAt(price.schedule, at), {
          model: model.id,
          provider: provider.id,
          tokens_in: input,
          tokens_out: out,
          cache_read_tokens: read,
          cache_write_tokens: written,
        });
        expect(ours).toBeCloseTo(theirs?.total_price ?? Number.NaN, 9);
      },
    ),
    { numRuns: 2000 },
  );
});
