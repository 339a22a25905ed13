const LONGEST_MS = 30_000;

/**
 * The wait before the next attempt. It doubles with each one; jitter keeps agents that lost their
 * server together from coming back together.
 */
export function backoffMs(attempt: number, firstMs: number, random = Math.random()): number {
  const doubled = Math.min(firstMs * 2 ** (attempt - 1), LONGEST_MS);
  return doubled * (0.5 + random / 2);
}
