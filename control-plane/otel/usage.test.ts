import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testSpan } from '../../test/otel/test-span.ts';
import type { Attributes } from './attributes.ts';
import { costOf, usageOf } from './usage.ts';

const usageIn = (attributes: Attributes, scope = 'test') =>
  usageOf(testSpan({ attributes, scope: { name: scope, version: '1' } }));

const named = (tokensIn: unknown, read = 0, write = 0, out: unknown = 0): Attributes => ({
  'gen_ai.usage.input_tokens': tokensIn as number,
  'gen_ai.usage.output_tokens': out as number,
  'gen_ai.usage.cache_read.input_tokens': read,
  'gen_ai.usage.cache_creation.input_tokens': write,
});
const input = (...numbers: Parameters<typeof named>) => usageIn(named(...numbers));

test.each([
  ['the input holds the cached tokens', input(1000, 200, 50), 1000],
  ['all of it is cached', input(250, 200, 50), 250],
  ['the cached tokens are not part of the input, as with Anthropic', input(20, 100, 5), 125],
  ['as text', input('1000'), 1000],
  ['there is no usage', usageIn({}), 0],
  ['a negative number is none', input(-5), 0],
  ['text that is no number is none', input('many'), 0],
  ['beyond any call', input(1e15), 0],
  ['a fraction is rounded', input(10.6), 11],
])('the input tokens: %s', (_name, { tokens_in }, expected) => {
  expect(tokens_in).toBe(expected);
});

describe('clients whose input excludes cached tokens are recognized by scope', () => {
  test.each([
    ['@traceloop/instrumentation-anthropic', 105],
    ['opentelemetry.instrumentation.botocore.bedrock-runtime', 105],
    ['@traceloop/instrumentation-openai', 60],
    ['@traceloop/instrumentation-anthropic-like', 60],
    ['opentelemetry.instrumentation.anthropic', 60],
  ])('the input tokens of %s are %d', (scope, tokens_in) => {
    expect(usageIn(named(60, 40, 5, 20), scope)).toEqual({
      tokens_in,
      tokens_out: 20,
      total_tokens: tokens_in + 20,
      cache_read_tokens: 40,
      cache_write_tokens: 5,
    });
  });
});

describe('usage_details of Langfuse', () => {
  const details = (value: unknown, more: Attributes = {}) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const attributes = { 'langfuse.observation.usage_details': text, ...more };
    const { tokens_in, tokens_out, cache_read_tokens, cache_write_tokens } = usageIn(
      attributes,
      'langfuse-sdk',
    );
    return [tokens_in, tokens_out, cache_read_tokens, cache_write_tokens];
  };
  const openAi = {
    input: 60,
    output: 12,
    total: 120,
    input_cached_tokens: 40,
    output_reasoning_tokens: 8,
  };
  test.each([
    ['from its OpenAI wrapper', openAi, [100, 20, 40, 0]],
    [
      'of Anthropic',
      { input: 60, output: 20, cache_read_input_tokens: 40, cache_creation_input_tokens: 5 },
      [105, 20, 40, 5],
    ],
    [
      'with the cached tokens in the input, as the total shows',
      { input: 100, output: 20, total: 120, input_cached_tokens: 40, output_reasoning_tokens: 8 },
      [100, 20, 40, 0],
    ],
    ['with names of their own', { input_cache_write: 5, input_cache_read: 7 }, [12, 0, 7, 5]],
    ['of input and output alone', { input: 9, output: 3 }, [9, 3, 0, 0]],
    ['with a total alone', { total: 9 }, [0, 0, 0, 0]],
    [
      'as OpenAI names them',
      {
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 120,
        prompt_tokens_details: { cached_tokens: 40 },
      },
      [100, 20, 40, 0],
    ],
    ['in camel case', { promptTokens: 100, completionTokens: 20 }, [100, 20, 0, 0]],
    [
      'with what is no number',
      { input: '60', output: -1, cache_x: 1e15, output_x: 3 },
      [0, 3, 0, 0],
    ],
  ])('%s', (_name, value, expected) => {
    expect(details(value)).toEqual(expected);
  });

  test.each(['', '{}', '[]', '7', 'null', '{"input":', '{"input":"9"}'])(
    'are ignored if empty or invalid (%j)',
    (text) => {
      expect(details(text, named(10, 0, 0, 5))).toEqual([10, 5, 0, 0]);
    },
  );
  test('take precedence over the other names', () => {
    expect(details(openAi, named(60, 0, 0, 12))).toEqual([100, 20, 40, 0]);
  });
});

test('cached tokens never exceed the input', () => {
  const number = fc.nat({ max: 2_000_000_000 });
  const scope = fc.constantFrom('test', '@traceloop/instrumentation-anthropic');
  fc.assert(
    fc.property(number, number, number, number, scope, fc.boolean(), (...given) => {
      const [input, read, write, out, name, asDetails] = given;
      const details = { input, output: out, input_cached: read, cache_write: write };
      const usage = asDetails
        ? usageIn({ 'langfuse.observation.usage_details': JSON.stringify(details) }, name)
        : usageIn(named(input, read, write, out), name);
      expect(usage.cache_read_tokens).toBeLessThanOrEqual(usage.tokens_in);
      expect(usage.cache_write_tokens).toBeLessThanOrEqual(usage.tokens_in);
      expect(usage.total_tokens).toBe(usage.tokens_in + usage.tokens_out);
    }),
  );
});

test.each<[string, Attributes, number | null]>([
  ['none', {}, null],
  ['a number', { 'gen_ai.usage.cost': 0.5 }, 0.5],
  ['0', { 'gen_ai.usage.cost': 0 }, 0],
  ['0 where another name has a price', { 'gen_ai.usage.cost': 0, 'llm.cost.total': 0.5 }, 0.5],
  ['details', { 'langfuse.observation.cost_details': '{"input":1,"output":2,"total":3}' }, 3],
  ['details without a total', { 'langfuse.observation.cost_details': '{"input":1,"output":2}' }, 3],
  [
    'details whose total is 0',
    { 'langfuse.observation.cost_details': '{"input":1,"output":2,"total":0}' },
    3,
  ],
  [
    'details that are all 0',
    { 'langfuse.observation.cost_details': '{"input":0,"output":0,"total":0}' },
    null,
  ],
  ['details that are none', { 'langfuse.observation.cost_details': '{}' }, null],
])('the cost from %s', (_name, attributes, expected) => {
  expect(costOf(attributes)).toBe(expected);
});
