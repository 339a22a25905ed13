import { constants, type BigIntStats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { InstallerError } from '../installer-error.ts';
import type { FileEntry, FileOnDisk } from '../package-entry.ts';

const CHUNK = 1 << 20;

/** A fingerprint of a file's metadata. Every write changes at least one of these values. */
export const fingerprintOf = (stats: BigIntStats): string =>
  [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ');

/**
 * Reads the content of a file in chunks of at most 1 MiB.
 *
 * @throws InstallerError if the file cannot be read, or has changed since its size was read, before
 * or during reading
 */
export async function* readContent(entry: FileEntry): AsyncGenerator<Buffer> {
  const { content, size } = entry;
  if (content instanceof Uint8Array) return yield Buffer.from(content);
  await using file = await openFile(content);
  await expectUnchanged(file, content);
  for (let done = 0; done < size;) {
    const piece = Buffer.allocUnsafeSlow(Math.min(CHUNK, size - done));
    const { bytesRead } = await file.read(piece, 0, piece.length);
    if (bytesRead === 0) throw changedError(content);
    done += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
  await expectUnchanged(file, content);
}

/**
 * Reads the first bytes of a file, or all if it has fewer.
 *
 * @throws InstallerError if it cannot be read
 */
export async function readStart(path: string, length: number): Promise<Buffer> {
  await using file = await openFile({ path });
  const stream = file.createReadStream({ end: length - 1, autoClose: false });
  try {
    return await buffer(stream);
  } catch (error) {
    throw unreadableError(path, error);
  }
}

async function openFile({ path }: Pick<FileOnDisk, 'path'>): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    throw unreadableError(path, error);
  }
}

async function expectUnchanged(file: FileHandle, content: FileOnDisk): Promise<void> {
  if (fingerprintOf(await file.stat({ bigint: true })) !== content.fingerprint)
    throw changedError(content);
}

const changedError = ({ path }: FileOnDisk): InstallerError =>
  new InstallerError(`${path}: changed while it was read`);

/** A one-line error for a file or folder that cannot be read. */
export function unreadableError(path: string, error: unknown): InstallerError {
  const { code } = error as NodeJS.ErrnoException;
  return new InstallerError(`${path}: cannot be read (${code})`, { cause: error });
}
