import { openKeyFiles } from './key-files.ts';
import type { Sealer } from './sealer.ts';

/**
 * Returns the private key of the identity as PEM; null if there is none, or if it cannot be unsealed
 * now. Changes nothing in the state folder.
 */
export async function readIdentityKey(
  dir: string,
  sealer: Pick<Sealer, 'unseal'>,
): Promise<string | null> {
  const files = openKeyFiles(dir);
  const sealed = files.sealedKey();
  if (sealed !== null) {
    const result = await sealer.unseal(sealed, new AbortController().signal);
    if (result.kind !== 'unsealed') return null;
    files.unlock(result.secret);
  }
  return files.read('identity');
}
