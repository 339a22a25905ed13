import fc from 'fast-check';
import { expect, test } from 'vitest';
import { usageOf } from './usage.ts';

const told = (tokensIn: unknown, read = 0, write = 0, out: unknown = 0) =>
  usageOf({
    'gen_ai.usage.input_tokens': tokensIn as number,
    'gen_ai.usage.output_tokens': out as number,
    'gen_ai.usage.cache_read.input_tokens': read,
    'gen_ai.usage.cache_creation.input_tokens': write,
  });

test.each([
  ['the input holds the cached tokens', told(1000, 200, 50), 1000],
  ['all of it is cached', told(250, 200, 50), 250],
  ['the cached tokens stand beside the input, as Anthropic tells it', told(20, 100, 5), 125],
  ['as text', told('1000'), 1000],
  ['nothing is told', usageOf({}), 0],
  ['a negative number is none', told(-5), 0],
  ['text that is no number is none', told('many'), 0],
  ['beyond any call', told(1e15), 0],
  ['a fraction is rounded', told(10.6), 11],
])('tokens in when %s', (_name, { tokens_in }, expected) => {
  expect(tokens_in).toBe(expected);
});

test('no part is ever larger than the whole', () => {
  const number = fc.nat({ max: 2_000_000_000 });
  fc.assert(
    fc.property(number, number, number, number, (...numbers) => {
      const usage = told(...numbers);
      expect(usage.cache_read_tokens).toBeLessThanOrEqual(usage.tokens_in);
      expect(usage.cache_write_tokens).toBeLessThanOrEqual(usage.tokens_in);
      expect(usage.total_tokens).toBe(usage.tokens_in + usage.tokens_out);
    }),
  );
});
