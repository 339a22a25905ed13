import { createHash } from 'node:crypto';
import { type BigIntStats, createReadStream } from 'node:fs';
import { type FileHandle, lstat, opendir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { InstallerError } from '#installer/installer-error.ts';
import { fingerprintOf as stampOfStats } from '#installer/payload/read-content.ts';
import { semaphore } from '../lib/semaphore.ts';

const bigint = true;

/**
 * Returns a fingerprint of the metadata of a file or folder tree, which detects changes without
 * reading content. A link at `path` itself is followed.
 */
export async function stampOf(path: string): Promise<string> {
  const stats = await stat(path, { bigint });
  return stats.isDirectory() ? walking(() => stampOfTree(path, stats)) : stampOfStats(stats);
}

/** Lets one request at a time check the thousands of files of a package. */
const walking = semaphore(1);

async function stampOfTree(path: string, stats: BigIntStats): Promise<string> {
  const entries = [stampOfStats(stats)];
  for await (const entry of await opendir(path, { recursive: true })) {
    const below = join(entry.parentPath, entry.name);
    entries.push(`${relative(path, below)} ${stampOfStats(await lstat(below, { bigint }))}`);
  }
  return createHash('sha256').update(entries.sort().join('\0')).digest('hex');
}

/** Returns the same fingerprint for an open file. */
export const stampOfOpenFile = async (file: FileHandle): Promise<string> =>
  stampOfStats(await file.stat({ bigint }));

/** Returns the SHA-256 of a file of any size, in hex. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

const PIECE = 64 * 1024;
/**
 * Limits reads to two at a time, however many downloads there are, because Node's thread pool has
 * other users.
 */
const reading = semaphore(2);

const readPiece = (file: FileHandle, position: number, length: number): Promise<Buffer> =>
  reading(async () => {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position });
    return buffer.subarray(0, bytesRead);
  });

/**
 * Yields the first `bytes` of a file in chunks, and closes it. The last chunk is sent only if the
 * content has this SHA-256, so that a file that was modified in the meantime never arrives
 * completely.
 */
export async function* readVerified(
  file: FileHandle,
  { bytes, sha256 }: { bytes: number; sha256: string },
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let withheld: Buffer | undefined;
  for (let at = 0; at < bytes; at += withheld.length) {
    const piece = await readPiece(file, at, Math.min(PIECE, bytes - at));
    if (piece.length === 0) break;
    if (withheld) yield withheld;
    withheld = piece;
    hash.update(piece);
  }
  if (hash.digest('hex') !== sha256)
    throw new InstallerError('the installer package changed during the download');
  if (withheld) yield withheld;
}
