import type { Permission } from '#contract/route.ts';
import type { Storage } from '../../storage/open.ts';
import { findApiKey } from '../queries.ts';

const FRESH_MS = 5000;

type Stored = NonNullable<Awaited<ReturnType<typeof findApiKey>>>;
type Key = Omit<Stored, 'permissions'> & { permissions: readonly Permission[] };

/** The key with this hash, if there is one. Callers may update what they are given. */
export type FindKey = (hash: string) => Promise<Key | undefined>;

/**
 * Remembers keys, so that recording need not ask the database on every request. A key that is
 * revoked is forgotten at once by a signal, and by a process that the signal did not reach within
 * five seconds. Unknown keys are never remembered: guessing must not fill the memory.
 */
export function rememberKeys({ db, signals }: Storage): FindKey {
  const known = new Map<string, { key: Key; until: number }>();
  signals.subscribe(({ topic }) => {
    if (topic === 'keys') known.clear();
  });
  return async (hash) => {
    const entry = known.get(hash);
    if (entry && performance.now() < entry.until) return entry.key;
    const stored = await findApiKey(db, hash);
    const key = stored && keyOf(stored);
    if (key) known.set(hash, { key, until: performance.now() + FRESH_MS });
    else known.delete(hash);
    return key;
  };
}

const keyOf = (stored: Stored): Key => ({
  ...stored,
  permissions: JSON.parse(stored.permissions) as Permission[],
});
