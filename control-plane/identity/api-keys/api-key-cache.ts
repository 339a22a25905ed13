import type { Permission } from '#contract/route.ts';
import type { Storage } from '../../storage/open.ts';
import { findApiKey } from './api-key-queries.ts';

const FRESH_MS = 5000;

type Stored = NonNullable<Awaited<ReturnType<typeof findApiKey>>>;
type Key = Omit<Stored, 'permissions'> & { permissions: readonly Permission[] };

/** Finds a key by its hash. Callers may modify the returned object. */
export type FindKey = (hash: string) => Promise<Key | undefined>;

/**
 * Caches API keys, so that recording does not query the database on every request. A revocation
 * signal evicts a key at once, and a process that misses the signal notices the change within five
 * seconds. Unknown keys are never cached, so guessing cannot fill the memory.
 */
export function cacheApiKeys({ db, signals }: Storage): FindKey {
  const cache = new Map<string, { key: Key; until: number }>();
  signals.subscribe(({ topic }) => {
    if (topic === 'keys') cache.clear();
  });
  return async (hash) => {
    const entry = cache.get(hash);
    if (entry && performance.now() < entry.until) return entry.key;
    const stored = await findApiKey(db, hash);
    const key = stored && keyOf(stored);
    if (key) cache.set(hash, { key, until: performance.now() + FRESH_MS });
    else cache.delete(hash);
    return key;
  };
}

const keyOf = (stored: Stored): Key => ({
  ...stored,
  permissions: JSON.parse(stored.permissions) as Permission[],
});
