import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, lstat, opendir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { InstallerError } from '#installer/installer-error.ts';
import { stampOf as stampOfStats } from '#installer/payload/read-content.ts';

const bigint = true;

/**
 * What tells a file, or all below a folder, from what was there before, without reading it. A link
 * at `path` itself stands for what it leads to.
 */
export async function stampOf(path: string): Promise<string> {
  const stats = await stat(path, { bigint });
  if (!stats.isDirectory()) return stampOfStats(stats);
  const lines = [stampOfStats(stats)];
  for await (const entry of await opendir(path, { recursive: true })) {
    const below = join(entry.parentPath, entry.name);
    lines.push(`${relative(path, below)} ${stampOfStats(await lstat(below, { bigint }))}`);
  }
  return createHash('sha256').update(lines.sort().join('\0')).digest('hex');
}

/** The same of a file that is open. */
export const stampOfOpen = async (file: FileHandle): Promise<string> =>
  stampOfStats(await file.stat({ bigint }));

/** SHA-256 of a file of any size, in hex. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/**
 * The first `bytes` of a file in pieces, and closes it. The last piece comes only if all of them are
 * what has this SHA-256: what is written to the file meanwhile never arrives as if it were whole.
 */
export async function* readVerified(
  file: FileHandle,
  { bytes, sha256 }: { bytes: number; sha256: string },
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let held: Buffer | undefined;
  for await (const piece of file.createReadStream({ start: 0, end: bytes - 1 })) {
    if (held) yield held;
    held = piece as Buffer;
    hash.update(held);
  }
  if (hash.digest('hex') !== sha256)
    throw new InstallerError('the installer package changed while it was handed out');
  if (held) yield held;
}
