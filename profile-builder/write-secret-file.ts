import { randomUUID } from 'node:crypto';
import { open, rename, rm, lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { StatsBase } from 'node:fs';

/** The file type for use in a message. */
export function kindOf(stats: StatsBase<number> | StatsBase<bigint>): string {
  if (stats.isFile()) return 'a file';
  if (stats.isDirectory()) return 'a folder';
  if (stats.isSymbolicLink()) return 'a link';
  if (stats.isSocket()) return 'a socket';
  return stats.isFIFO() ? 'a named pipe' : 'a device';
}

/**
 * The reason why no file may be written to a path, or null. A rename would replace a device, a pipe
 * or a link that others rely on.
 */
export async function findWriteObstacle(path: string): Promise<string | null> {
  const stats = await lstat(path).catch(() => null);
  return !stats || stats.isFile()
    ? null
    : `it is ${kindOf(stats)}, and only a regular file may be replaced`;
}

/**
 * Atomically writes a file that only its owner can read: readers see either the old or the new
 * content, also after a crash. Replaces an existing regular file and its permissions, but no other
 * file type.
 */
export async function writeSecretFile(path: string, content: string | Uint8Array): Promise<void> {
  const obstacle = await findWriteObstacle(path);
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
