import type { CostSource } from '#contract/costs.ts';
import type { Pricer } from './pricer.ts';
import type { Usage } from './rate-schedule.ts';

interface Cost {
  /** In USD. */
  cost: number;
  cost_source: CostSource;
}

/**
 * Returns the stored cost of a call: the one that its client sent, or else the price of its tokens.
 */
export const recordedCost = (
  given: number | null | undefined,
  call: Usage,
  { price, at }: { price: Pricer; at: number },
): Cost => (isPrice(given, call) ? { cost: given, cost_source: 'given' } : price(call, at));

/**
 * Whether the client's cost is a price. Clients without a price for a model send 0, so a call that
 * used tokens is free only if a price list says so.
 */
export const isPrice = (given: number | null | undefined, usage: Usage): given is number =>
  typeof given === 'number' && (given > 0 || tokensOf(usage) === 0);

const tokensOf = (usage: Usage): number =>
  usage.tokens_in + usage.tokens_out + usage.cache_read_tokens + usage.cache_write_tokens;
