import type { Phase } from '#contract/policy-actions.ts';

/** Tokens or USD. */
export interface Spending {
  used: number;
  /** Further spending expected by the agent. */
  expected?: number;
  max: number;
}

/**
 * Whether spending exceeds its limit. A run can start only if some of the limit is left; an active
 * run may use all of it.
 */
export function exceedsLimit({ used, expected = 0, max }: Spending, phase: Phase): boolean {
  if (phase === 'before_workflow' && nanoUsd(used) >= nanoUsd(max)) return true;
  return nanoUsd(used + expected) > nanoUsd(max);
}

/** Returns the whole percentage, rounded down. */
export const percentUsed = ({ used, max }: Spending): number =>
  Math.floor((nanoUsd(used) * 100) / nanoUsd(max));

/**
 * Rounds to a billionth of a USD: costs are sums of binary fractions, and `0.1 + 0.2` must reach
 * `0.3`.
 */
export const nanoUsd = (amount: number): number => Math.round(amount * 1e9);

/** Formats USD with three decimals; smaller amounts with as many as they need. */
export function usd(amount: number): string {
  const nano = nanoUsd(amount);
  if (nano === 0 || nano >= 1_000_000) return `$${amount.toFixed(3)}`;
  return `$${(nano / 1e9).toFixed(9).replace(/0+$/, '')}`;
}
