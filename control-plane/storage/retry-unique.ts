import type { Storage } from './open.ts';

/** Others may be in the way of what is written one after another. */
const TIMES = 5;

/**
 * Writes again when somebody has stored beside us what may be there only once: by then that can be
 * found. `write` is one transaction that looks for it first.
 */
export async function retryUnique<T>(
  storage: Pick<Storage, 'isUnique'>,
  write: () => Promise<T>,
): Promise<T> {
  for (let left = TIMES; ; left -= 1)
    try {
      return await write();
    } catch (error) {
      if (left === 0 || !storage.isUnique(error)) throw error;
    }
}
