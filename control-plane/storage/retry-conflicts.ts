import type { Storage } from './open.ts';

/** The number of attempts, since several concurrent writers may conflict in turn. */
const TIMES = 5;

/**
 * Retries a write that conflicted with a concurrent one: that one stored the same unique key, which
 * the retry finds, or both waited for each other and the database rolled this one back. `write` is
 * one transaction that first looks for the key.
 */
export async function retryConflicts<T>(
  storage: Pick<Storage, 'isUnique' | 'isTransactionRollback'>,
  write: () => Promise<T>,
): Promise<T> {
  for (let remaining = TIMES; ; remaining -= 1)
    try {
      return await write();
    } catch (error) {
      const isConflict = storage.isUnique(error) || storage.isTransactionRollback(error);
      if (remaining === 0 || !isConflict) throw error;
    }
}
