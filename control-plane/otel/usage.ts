import type { Attributes } from './attributes.ts';
import { numberIn, numberOf } from './field.ts';
import { clientOf } from './scopes.ts';
import type { OtelSpan } from './span.ts';
import { costDetailsOf, usageDetailsOf } from './usage-details.ts';

const MOST_TOKENS = 1_000_000_000;
const MOST_USD = 1_000_000;

/** The tokens of a call. `tokens_in` includes those read from and written to the cache. */
export function usageOf({ attributes, scope }: Pick<OtelSpan, 'attributes' | 'scope'>) {
  const client = clientOf(scope.name);
  const details = usageDetailsOf(attributes, MOST_TOKENS);
  // A number beyond the limits is an error, and must not affect costs.
  const tokens = (field: keyof NonNullable<typeof details>): number =>
    Math.round(
      details?.[field] ??
        numberOf(attributes, field, MOST_TOKENS) ??
        numberIn(attributes, client?.names?.[field] ?? [], MOST_TOKENS) ??
        0,
    );
  const cache_read_tokens = tokens('cacheRead');
  const cache_write_tokens = tokens('cacheWrite');
  const cached = cache_read_tokens + cache_write_tokens;
  const input = tokens('tokensIn');
  // By convention, the input includes the cached tokens. If it is less than these, it was passed on
  // as in Anthropic's API, without them.
  const isBeside = input < cached || (!details && client?.cached === 'beside input');
  const tokens_in = Math.min(isBeside ? input + cached : input, MOST_TOKENS);
  const tokens_out = Math.min(tokens('tokensOut'), MOST_TOKENS);
  return {
    tokens_in,
    tokens_out,
    total_tokens: tokens_in + tokens_out,
    cache_read_tokens,
    cache_write_tokens,
  };
}

/** USD; null if the span states no cost. A cost of 0 counts only if there is no other. */
export const costOf = (attributes: Attributes): number | null =>
  costDetailsOf(attributes, MOST_USD) ||
  numberOf(attributes, 'cost', MOST_USD, Number.MIN_VALUE) ||
  (numberOf(attributes, 'cost', MOST_USD) ?? null);
