import type { Storage } from '../storage/open.ts';
import { findApiKey } from './queries.ts';

const FRESH_MS = 5000;

type Found = Awaited<ReturnType<typeof findApiKey>>;

/** The key with this hash, if there is one. Callers may update what they are given. */
export type FindKey = (hash: string) => Promise<Found>;

/**
 * Remembers keys, so that recording need not ask the database on every request. A key that is
 * revoked is forgotten at once by a signal, and by a process that the signal did not reach within
 * five seconds. Unknown keys are never remembered: guessing must not fill the memory.
 */
export function rememberKeys({ db, signals }: Storage): FindKey {
  const known = new Map<string, { key: Found; until: number }>();
  signals.subscribe(({ topic }) => {
    if (topic === 'keys') known.clear();
  });
  return async (hash) => {
    const entry = known.get(hash);
    if (entry && performance.now() < entry.until) return entry.key;
    const key = await findApiKey(db, hash);
    if (key) known.set(hash, { key, until: performance.now() + FRESH_MS });
    else known.delete(hash);
    return key;
  };
}
