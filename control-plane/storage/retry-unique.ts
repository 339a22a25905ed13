import type { Storage } from './open.ts';

/** The number of attempts, since several concurrent writers may conflict in turn. */
const TIMES = 5;

/**
 * Retries a write that failed because a concurrent one stored the same unique key; the retry finds
 * that key. `write` is one transaction that first looks for the key.
 */
export async function retryUnique<T>(
  storage: Pick<Storage, 'isUnique'>,
  write: () => Promise<T>,
): Promise<T> {
  for (let remaining = TIMES; ; remaining -= 1)
    try {
      return await write();
    } catch (error) {
      if (remaining === 0 || !storage.isUnique(error)) throw error;
    }
}
