export interface BackoffLimits {
  firstMs: number;
  maxMs: number;
}

export const defaultBackoff: BackoffLimits = { firstMs: 1000, maxMs: 60_000 };

/**
 * Milliseconds before the next attempt, with full jitter: a random time below a ceiling that
 * doubles, so that devices that lost the connection together do not reconnect together. `attempt`
 * counts failures from 0; `random` is in [0, 1).
 */
export function backoffMs(attempt: number, random: number, limits = defaultBackoff): number {
  const ceiling = Math.min(limits.maxMs, limits.firstMs * 2 ** Math.min(attempt, 30));
  return Math.round(random * ceiling);
}
