import { createHash } from 'node:crypto';
import { Readable, type Transform, pipeline } from 'node:stream';
import { createInflate } from 'node:zlib';
import { InstallerError } from '../../installer-error.ts';
import type { PackageFile } from '../package-file.ts';
import type { Checksum, EntryData } from './entries.ts';

/** Reads the content of an archive. */
export interface HeapReader {
  file: PackageFile;
  heapStart: number;
}

/**
 * The decoded bytes of a file, in chunks.
 *
 * @throws InstallerError
 */
export async function* readContent(
  { file, heapStart }: HeapReader,
  data: EntryData,
): AsyncGenerator<Buffer> {
  const stored = file.chunks(heapStart + data.offset, data.length);
  let size = 0;
  for await (const chunk of decode(stored, data)) {
    size += chunk.length;
    if (size > data.size)
      throw new InstallerError(`decompresses to more than the stated ${data.size} bytes`);
    yield chunk;
  }
  if (size !== data.size)
    throw new InstallerError(`decompresses to ${size} bytes, not the stated ${data.size}`);
}

/**
 * Reads a whole file into memory.
 *
 * @throws InstallerError if it exceeds the limit
 */
export async function readFully(heap: HeapReader, data: EntryData, limit: number): Promise<Buffer> {
  if (data.size > limit)
    throw new InstallerError(`has ${data.size} bytes, more than the limit of ${limit}`);
  return Buffer.concat(await Array.fromAsync(readContent(heap, data)));
}

/**
 * Compares a file with both of its checksums.
 *
 * @throws InstallerError naming the mismatch
 */
export async function checkContent(heap: HeapReader, data: EntryData): Promise<void> {
  if (!data.archived && !data.extracted)
    throw new InstallerError('has no checksum, so it is not covered by a signature');
  const { file, heapStart } = heap;
  if (data.archived)
    await checkDigest(file.chunks(heapStart + data.offset, data.length), data.archived, 'archived');
  if (data.extracted) await checkDigest(readContent(heap, data), data.extracted, 'extracted');
}

async function checkDigest(
  chunks: AsyncIterable<Buffer>,
  { digest, value }: Checksum,
  which: string,
): Promise<void> {
  const hash = createHash(digest);
  for await (const chunk of chunks) hash.update(chunk);
  const actual = hash.digest('hex');
  if (actual !== value)
    throw new InstallerError(`${which} ${digest} ${actual} differs from the stated ${value}`);
}

function decode(stored: AsyncIterable<Buffer>, data: EntryData): AsyncIterable<Buffer> {
  switch (data.encoding) {
    case 'application/octet-stream':
      return stored;
    // The encoding is called gzip, but xar writes a zlib stream.
    case 'application/x-gzip':
      return decompress(stored, createInflate(), data.length);
    default:
      throw new InstallerError(`unsupported encoding ${data.encoding}`);
  }
}

/** @throws InstallerError unless the compressed stream ends with the last of the given bytes */
export async function* decompress(
  stored: AsyncIterable<Buffer>,
  engine: Transform & { bytesWritten: number },
  length: number,
): AsyncGenerator<Buffer> {
  let failure: Error | null = null;
  pipeline(Readable.from(stored), engine, (error) => {
    failure = error ?? null;
  });
  try {
    for await (const chunk of engine) yield chunk as Buffer;
  } catch (error) {
    if (error instanceof InstallerError) throw error;
    throw new InstallerError('is damaged: it cannot be decompressed', { cause: failure ?? error });
  }
  if (engine.bytesWritten !== length)
    throw new InstallerError(`${length - engine.bytesWritten} bytes follow the compressed data`);
}
