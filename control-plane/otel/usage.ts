import type { Attributes } from './attributes.ts';
import { numberOf } from './field.ts';
import type { Field } from './spellings.ts';

const MOST_TOKENS = 1_000_000_000;

/** Tokens of a call. `tokens_in` holds those read from and written to the cache. */
export function usageOf(attributes: Attributes) {
  // A number that no call can have is a mistake, and must not become money.
  const tokens = (field: Field): number =>
    Math.round(numberOf(attributes, field, MOST_TOKENS) ?? 0);
  const cache_read_tokens = tokens('cacheRead');
  const cache_write_tokens = tokens('cacheWrite');
  const cached = cache_read_tokens + cache_write_tokens;
  const told = tokens('tokensIn');
  // By convention the input holds the cached tokens. Where it is the smaller number it was passed
  // on as Anthropic's API tells it, without them.
  const tokens_in = Math.min(told < cached ? told + cached : told, MOST_TOKENS);
  const tokens_out = tokens('tokensOut');
  return {
    tokens_in,
    tokens_out,
    total_tokens: tokens_in + tokens_out,
    cache_read_tokens,
    cache_write_tokens,
  };
}
