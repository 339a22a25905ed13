/** A rate limit: bursts of up to `capacity`, and `perSecond` on average. */
export interface TokenBucket {
  /** Takes one token; false if there is none. */
  take: (now: number) => boolean;
}

export function createTokenBucket(capacity: number, perSecond: number): TokenBucket {
  let tokens = capacity;
  let refilledAt = -Infinity;
  return {
    take(now) {
      const seconds = Math.max(0, now - refilledAt) / 1000;
      tokens = Math.min(capacity, tokens + seconds * perSecond);
      refilledAt = now;
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}
