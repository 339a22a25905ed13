import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPricer } from './pricer.ts';
import { openPrices } from './operator-price-file.ts';
import type { Usage } from './rate-schedule.ts';

const prices = await (await openPrices(undefined))();
const price = createPricer(prices);
const NOON = Date.UTC(2026, 10, 20, 12);

const usageOf = (usage: Partial<Usage>): Usage => ({
  model: 'gpt-4o',
  provider: null,
  tokens_in: 0,
  tokens_out: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  ...usage,
});

test('a call of gpt-4o costs the published price', () => {
  expect(price(usageOf({ tokens_in: 1000, tokens_out: 500 }), NOON)).toEqual({
    cost: 0.0075,
    cost_source: 'table',
  });
});

/**
 * The usage is 100,000 tokens in, of which 40,000 were read from a cache and 20,000 written to one,
 * and 10,000 out: 0.04 × input + 0.04 × cache read + 0.02 × cache write + 0.01 × output. The rates
 * are those that the providers published in autumn 2026, in USD per million: input, cache read,
 * cache write, output. If there is no cache rate, the input rate applies.
 */
test.each([
  ['openai', 'gpt-6-sol', [2, 0.2, 2.5, 10], 0.238],
  ['openai', 'gpt-5.6-sol', [4, 0.4, 5, 20], 0.476],
  ['openai', 'gpt-5.5', [5, 0.5, null, 30], 0.62],
  ['openai', 'gpt-5', [1.25, 0.125, null, 10], 0.18],
  ['openai', 'gpt-5-mini', [0.25, 0.025, null, 2], 0.036],
  ['openai', 'gpt-4.1', [2, 0.5, null, 8], 0.22],
  ['openai', 'gpt-4o', [2.5, 1.25, null, 10], 0.3],
  ['openai', 'gpt-4o-mini', [0.15, 0.075, null, 0.6], 0.018],
  ['openai', 'o3', [2, 0.5, null, 8], 0.22],
  ['anthropic', 'claude-fable-5-1', [10, 0.25, 12.5, 50], 1.16],
  ['anthropic', 'claude-opus-5-5', [4, 0.2, 5, 20], 0.468],
  ['anthropic', 'claude-opus-4-1', [15, 1.5, 18.75, 75], 1.785],
  ['anthropic', 'claude-sonnet-5', [2, 0.2, 2.5, 10], 0.238],
  ['anthropic', 'claude-sonnet-4-5', [3, 0.3, 3.75, 15], 0.357],
  ['anthropic', 'claude-haiku-4-5', [1, 0.1, 1.25, 5], 0.119],
  ['google', 'gemini-3.1-pro-preview', [2, 0.2, null, 12], 0.248],
  ['google', 'gemini-2.5-pro', [1.25, 0.125, null, 10], 0.18],
  ['google', 'gemini-2.5-flash', [0.3, 0.03, null, 2.5], 0.0442],
  ['google', 'gemini-2.5-flash-lite', [0.1, 0.01, null, 0.4], 0.0104],
  ['mistral', 'mistral-large-2512', [0.5, 0.05, null, 1.5], 0.047],
  ['mistral', 'codestral-2508', [0.3, 0.03, null, 0.9], 0.0282],
  ['deepseek', 'deepseek-v4-pro', [0.66, 0.022, null, 1.98], 0.06028],
  ['deepseek', 'deepseek-v4-flash', [0.22, 0.007, null, 0.66], 0.02008],
  ['xai', 'grok-4-0709', [3, 0.75, null, 15], 0.36],
  ['xai', 'grok-4-1-fast-reasoning', [0.2, 0.05, null, 0.5], 0.019],
  ['cohere', 'command-a-03-2025', [2.5, null, null, 10], 0.35],
  ['cohere', 'command-r7b-12-2024', [0.0375, null, null, 0.15], 0.00525],
  ['groq', 'llama-3.3-70b-versatile', [0.59, null, null, 0.79], 0.0669],
  ['groq', 'openai/gpt-oss-120b', [0.15, 0.075, null, 0.6], 0.018],
  ['bedrock', 'amazon.nova-pro-v1:0', [0.8, 0.2, null, 3.2], 0.088],
  ['bedrock', 'amazon.nova-micro-v1:0', [0.035, 0.00875, null, 0.14], 0.00385],
  ['bedrock', 'meta.llama3-3-70b-instruct-v1:0', [0.72, null, null, 0.72], 0.0792],
  [
    'together',
    'meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8',
    [0.27, null, null, 0.85],
    0.0355,
  ],
  ['moonshot', 'kimi-k3', [3, 0.3, null, 15], 0.342],
])('%s %s at %j', (provider, model, [input, read, write, output], cost) => {
  const cached = { cache_read_tokens: 40_000, cache_write_tokens: 20_000 };
  const usage = usageOf({ provider, model, tokens_in: 100_000, tokens_out: 10_000, ...cached });
  const full = input ?? Number.NaN;
  const byHand =
    0.04 * full + 0.04 * (read ?? full) + 0.02 * (write ?? full) + 0.01 * (output ?? 0);
  expect(byHand).toBeCloseTo(cost, 10);
  expect(price(usage, NOON)).toEqual({ cost, cost_source: 'table' });
});

describe('cached tokens', () => {
  test('are billed once, at their own rate', () => {
    const usage = usageOf({ tokens_in: 1_000_000, cache_read_tokens: 1_000_000 });
    expect(price(usage, NOON).cost).toBe(1.25);
  });
  test('may exceed the reported input', () => {
    const usage = usageOf({ tokens_in: 10, cache_read_tokens: 1_000_000 });
    expect(price(usage, NOON).cost).toBe(1.25);
  });
});

describe('prices that depend', () => {
  const costOf = (usage: Partial<Usage>, at = NOON): number => price(usageOf(usage), at).cost;
  test('on the length of the prompt: above the limit, the tier applies to all tokens', () => {
    const model = 'gemini-2.5-pro';
    expect(costOf({ model, tokens_in: 200_000, tokens_out: 1000 })).toBe(0.26);
    expect(costOf({ model, tokens_in: 200_001, tokens_out: 1000 })).toBe(0.5150025);
    const cached = { tokens_in: 300_000, cache_read_tokens: 300_000 };
    expect(costOf({ model, ...cached })).toBe(0.075);
  });
  test('on the day: the price at the time of the call applies', () => {
    const usage = { model: 'o3', tokens_in: 1_000_000 };
    expect(costOf(usage, Date.UTC(2025, 5, 9, 23, 59))).toBe(10);
    expect(costOf(usage, Date.UTC(2025, 5, 10))).toBe(2);
  });
  test('on the time of day', () => {
    const usage = { model: 'deepseek-v4-flash', tokens_in: 1_000_000 };
    const at = (hour: number): number => costOf(usage, Date.UTC(2026, 10, 20, hour));
    expect([0, 1, 4, 6, 10].map(at)).toEqual([0.22, 0.44, 0.22, 0.44, 0.22]);
  });
  test('on the number of calls', () => {
    expect(costOf({ model: 'sonar', tokens_in: 1_000_000 })).toBe(1.012);
  });
});

const tokens = fc.nat({ max: 1_000_000_000 });
const model = fc.constantFrom(...prices.system.list());
const parts = fc.record({ fresh: tokens, read: tokens, written: tokens, out: tokens });

describe('for any usage', () => {
  const costOf = (
    { model_id }: { model_id: string },
    used: { fresh: number; read: number; written: number; out: number },
  ): number =>
    price(
      usageOf({
        model: model_id,
        tokens_in: used.fresh + used.read + used.written,
        tokens_out: used.out,
        cache_read_tokens: used.read,
        cache_write_tokens: used.written,
      }),
      NOON,
    ).cost;

  test('the cost is never negative', () => {
    fc.assert(
      fc.property(fc.string(), model, tokens, tokens, tokens, tokens, (text, known, ...used) => {
        const [tokens_in, tokens_out, cache_read_tokens, cache_write_tokens] = used;
        const usage = { tokens_in, tokens_out, cache_read_tokens, cache_write_tokens };
        for (const name of [text, known.model_id]) {
          const { cost } = price(usageOf({ model: name, ...usage }), NOON);
          expect(cost).toBeGreaterThanOrEqual(0);
          expect(Number.isFinite(cost)).toBe(true);
        }
      }),
    );
  });
  test('more tokens of any kind never cost less', () => {
    fc.assert(
      fc.property(
        model,
        parts,
        fc.constantFrom('fresh', 'read', 'written', 'out'),
        tokens,
        (known, used, which, more) => {
          const bigger = { ...used, [which]: used[which] + more };
          expect(costOf(known, bigger)).toBeGreaterThanOrEqual(costOf(known, used));
        },
      ),
    );
  });
  test('cached tokens never cost more if their rate is lower', () => {
    const cheaper = prices.system
      .list()
      .filter(({ schedule }) =>
        schedule.every(({ rates }) => rates.cacheRead.base < rates.input.base),
      );
    expect(cheaper.length).toBeGreaterThan(300);
    fc.assert(
      fc.property(fc.constantFrom(...cheaper), parts, (known, used) => {
        const uncached = { ...used, fresh: used.fresh + used.read, read: 0 };
        expect(costOf(known, used)).toBeLessThanOrEqual(costOf(known, uncached));
      }),
    );
  });
});

test('the cache keeps names apart, even beyond its limit', () => {
  for (let i = 0; i < 12_000; i += 1)
    expect(price(usageOf({ model: `m-${i}`, tokens_in: 1 }), NOON).cost_source).toBe('unpriced');
  expect(price(usageOf({ tokens_in: 1_000_000 }), NOON).cost).toBe(2.5);
  expect(price(usageOf({ provider: 'ollama', tokens_in: 1_000_000 }), NOON).cost).toBe(0);
});
