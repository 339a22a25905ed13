import type { Attributes } from './attributes.ts';
import { numberIn, numberOf } from './field.ts';
import { clientOf } from './scopes.ts';
import type { OtelSpan } from './span.ts';
import { costDetailsOf, usageDetailsOf } from './usage-details.ts';

const MOST_TOKENS = 1_000_000_000;
const MOST_USD = 1_000_000;

/** Tokens of a call. `tokens_in` holds those read from and written to the cache. */
export function usageOf({ attributes, scope }: Pick<OtelSpan, 'attributes' | 'scope'>) {
  const client = clientOf(scope.name);
  const details = usageDetailsOf(attributes, MOST_TOKENS);
  // A number that no call can have is a mistake, and must not become money.
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
  const told = tokens('tokensIn');
  // By convention the input holds the cached tokens. Where it is the smaller number it was passed
  // on as Anthropic's API tells it, without them.
  const isBeside = told < cached || (!details && client?.cached === 'beside input');
  const tokens_in = Math.min(isBeside ? told + cached : told, MOST_TOKENS);
  const tokens_out = Math.min(tokens('tokensOut'), MOST_TOKENS);
  return {
    tokens_in,
    tokens_out,
    total_tokens: tokens_in + tokens_out,
    cache_read_tokens,
    cache_write_tokens,
  };
}

/** USD; null when a span tells none. One that is 0 only counts where no other is there. */
export const costOf = (attributes: Attributes): number | null =>
  costDetailsOf(attributes, MOST_USD) ||
  numberOf(attributes, 'cost', MOST_USD, Number.MIN_VALUE) ||
  (numberOf(attributes, 'cost', MOST_USD) ?? null);
