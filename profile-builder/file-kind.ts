import type { StatsBase } from 'node:fs';
import { lstat } from 'node:fs/promises';

/** Describes a file type for a message. */
export function kindOf(stats: StatsBase<number> | StatsBase<bigint>): string {
  if (stats.isFile()) return 'a file';
  if (stats.isDirectory()) return 'a folder';
  if (stats.isSymbolicLink()) return 'a link';
  if (stats.isSocket()) return 'a socket';
  return stats.isFIFO() ? 'a named pipe' : 'a device';
}

/**
 * Why no file may be written to a path, or null. A rename would replace a device, a pipe or a link
 * that others rely on.
 */
export async function obstacleAt(path: string): Promise<string | null> {
  const stats = await lstat(path).catch(() => null);
  return !stats || stats.isFile()
    ? null
    : `it is ${kindOf(stats)}, and only a regular file may be replaced`;
}
