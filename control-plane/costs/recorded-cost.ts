import type { CostSource } from '#contract/costs.ts';
import type { Pricer } from './price.ts';
import type { Usage } from './rates.ts';

interface Cost {
  /** USD. */
  cost: number;
  cost_source: CostSource;
}

/** What is stored as the cost of a call: the one that its client gives, or else what its tokens cost. */
export const recordedCost = (
  given: number | null | undefined,
  call: Usage,
  { price, at }: { price: Pricer; at: number },
): Cost => (isPrice(given, call) ? { cost: given, cost_source: 'given' } : price(call, at));

/**
 * Is a cost that a client gives one? Clients that know no price of a model say 0: a call that used
 * tokens is free only where a price list says so.
 */
export const isPrice = (given: number | null | undefined, usage: Usage): given is number =>
  typeof given === 'number' && (given > 0 || tokensOf(usage) === 0);

const tokensOf = (usage: Usage): number =>
  usage.tokens_in + usage.tokens_out + usage.cache_read_tokens + usage.cache_write_tokens;
