import type { ApiKey } from '../data/api-key-sources.ts';

export type KeyLife = { works: true } | { works: false; end: 'Revoked' | 'Expired'; at: string };

/** Whether a key is valid at `now` (epoch milliseconds), else why and since when it is not. */
export function lifeOf(key: Pick<ApiKey, 'revoked_at' | 'expires_at'>, now: number): KeyLife {
  const { revoked_at, expires_at } = key;
  if (revoked_at !== null) return { works: false, end: 'Revoked', at: revoked_at };
  if (expires_at !== null && Date.parse(expires_at) <= now)
    return { works: false, end: 'Expired', at: expires_at };

  return { works: true };
}
