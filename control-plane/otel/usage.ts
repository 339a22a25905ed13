import type { Attributes } from './attributes.ts';
import { numberOf } from './field.ts';
import type { OtelSpan } from './span.ts';
import { costDetailsOf, usageDetailsOf } from './usage-details.ts';

const MAX_TOKENS = 1_000_000_000;
const MAX_USD = 1_000_000;

/** Returns the tokens of a call. `tokens_in` includes those read from and written to the cache. */
export function usageOf({ attributes, scope }: Pick<OtelSpan, 'attributes' | 'scope'>) {
  const details = usageDetailsOf(attributes, MAX_TOKENS);
  // A number beyond the limits is an error, and must not affect costs.
  const tokens = (field: Exclude<keyof NonNullable<typeof details>, 'reasoning'>): number =>
    Math.round(details?.[field] ?? numberOf(attributes, field, MAX_TOKENS) ?? 0);
  const cache_read_tokens = tokens('cacheRead');
  const cache_write_tokens = tokens('cacheWrite');
  const cached = cache_read_tokens + cache_write_tokens;
  const input = tokens('tokensIn');
  // By convention, the input includes the cached tokens. If it is smaller than these, it was passed
  // on without them, as in Anthropic's API.
  const isBeside = input < cached || (!details && excludesCachedInput(scope.name));
  const tokens_in = Math.min(isBeside ? input + cached : input, MAX_TOKENS);
  const tokens_out = Math.min(tokens('tokensOut'), MAX_TOKENS);
  return {
    tokens_in,
    tokens_out,
    total_tokens: tokens_in + tokens_out,
    cache_read_tokens,
    cache_write_tokens,
  };
}

/**
 * Returns the reasoning tokens, which are part of the output tokens; null if the span does not
 * report them.
 */
export function reasoningTokensOf(attributes: Attributes): number | null {
  const tokens =
    usageDetailsOf(attributes, MAX_TOKENS)?.reasoning ||
    numberOf(attributes, 'reasoning', MAX_TOKENS);
  return tokens === undefined ? null : Math.round(tokens);
}

/**
 * Returns the cost in USD; null if the span states none. A cost of 0 is used only if there is no
 * other.
 */
export const costOf = (attributes: Attributes): number | null =>
  costDetailsOf(attributes, MAX_USD) ||
  numberOf(attributes, 'cost', MAX_USD, Number.MIN_VALUE) ||
  (numberOf(attributes, 'cost', MAX_USD) ?? null);

/**
 * Instrumentation scopes whose input tokens exclude those read from or written to the cache,
 * because they pass on the numbers of Anthropic's API or of Bedrock's Converse. (OpenLLMetry for
 * Python adds the cached tokens.)
 */
const scopesExcludingCachedInput = new Set([
  '@traceloop/instrumentation-anthropic',
  'opentelemetry.instrumentation.botocore.bedrock-runtime',
]);

export const excludesCachedInput = (scope: string): boolean =>
  scopesExcludingCachedInput.has(scope);
