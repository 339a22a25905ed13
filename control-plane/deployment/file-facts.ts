import { createHash } from 'node:crypto';
import { type BigIntStats, createReadStream } from 'node:fs';
import { type FileHandle, lstat, opendir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { InstallerError } from '#installer/installer-error.ts';
import { stampOf as stampOfStats } from '#installer/payload/read-content.ts';
import { semaphore } from '../lib/semaphore.ts';

const bigint = true;

/**
 * What tells a file, or all below a folder, from what was there before, without reading it. A link
 * at `path` itself stands for what it leads to.
 */
export async function stampOf(path: string): Promise<string> {
  const stats = await stat(path, { bigint });
  return stats.isDirectory() ? walking(() => stampOfTree(path, stats)) : stampOfStats(stats);
}

/** Each who asks for a package looks through thousands of files: one after another. */
const walking = semaphore(1);

async function stampOfTree(path: string, stats: BigIntStats): Promise<string> {
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

const PIECE = 64 * 1024;
/** However many download, also from a slow disk: Node's thread pool is for others too. */
const reading = semaphore(2);

const readPiece = (file: FileHandle, position: number, length: number): Promise<Buffer> =>
  reading(async () => {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position });
    return buffer.subarray(0, bytesRead);
  });

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
  for (let at = 0; at < bytes; at += held.length) {
    const piece = await readPiece(file, at, Math.min(PIECE, bytes - at));
    if (piece.length === 0) break;
    if (held) yield held;
    held = piece;
    hash.update(piece);
  }
  if (hash.digest('hex') !== sha256)
    throw new InstallerError('the installer package changed while it was handed out');
  if (held) yield held;
}
