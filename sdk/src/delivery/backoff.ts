const MAX_DELAY_MS = 30_000;

/**
 * Returns the delay before the next attempt. It is exponential, with jitter, so that agents that
 * lost the server at the same time do not reconnect at the same time.
 */
export function backoffMs(attempt: number, firstMs: number, random = Math.random()): number {
  const doubled = Math.min(firstMs * 2 ** (attempt - 1), MAX_DELAY_MS);
  return doubled * (0.5 + random / 2);
}
