import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { obstacleAt } from './file-kind.ts';

/**
 * Atomically writes a file that only its owner can read: readers, also after a crash, see either
 * the old or the new content. Replaces an existing file and its permissions; refuses to replace
 * anything but a regular file.
 */
export async function writeSecretFile(path: string, content: string | Uint8Array): Promise<void> {
  const obstacle = await obstacleAt(path);
  if (obstacle !== null) throw new Error(obstacle);
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    await using file = await open(temporary, 'wx', 0o600);
    await file.writeFile(content);
    await file.sync();
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
