/**
 * Rounds to a billionth of a USD: costs are sums of binary fractions, and `0.1 + 0.2` must reach
 * `0.3`.
 */
export const nanoUsd = (amount: number): number => Math.round(amount * 1e9);

/** USD as text with three decimals; smaller amounts with as many as they need. */
export function usd(amount: number): string {
  const nano = nanoUsd(amount);
  if (nano === 0 || nano >= 1_000_000) return `$${amount.toFixed(3)}`;
  return `$${(nano / 1e9).toFixed(9).replace(/0+$/, '')}`;
}
