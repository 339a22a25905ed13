import type { StatsBase } from 'node:fs';
import { lstat } from 'node:fs/promises';

/** What is there, for a message. */
export function kindOf(stats: StatsBase<number> | StatsBase<bigint>): string {
  if (stats.isFile()) return 'a file';
  if (stats.isDirectory()) return 'a folder';
  if (stats.isSymbolicLink()) return 'a link';
  if (stats.isSocket()) return 'a socket';
  return stats.isFIFO() ? 'a named pipe' : 'a device';
}

/**
 * Why no file may be put at a path, or null. Renaming would replace a device, a pipe or a link, and
 * what others expect there would be gone.
 */
export async function obstacleAt(path: string): Promise<string | null> {
  const stats = await lstat(path).catch(() => null);
  return !stats || stats.isFile() ? null : `it is ${kindOf(stats)}, and only a file is replaced`;
}
