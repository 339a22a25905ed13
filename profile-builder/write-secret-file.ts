import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { obstacleAt } from './file-kind.ts';

/**
 * Writes a file that only its owner may read, in whole or not at all: a reader, or a crash, meets
 * the old content or the new. A file that was there before is replaced, its permissions too; what is
 * no file is not.
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
