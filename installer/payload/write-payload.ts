import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { PackageEntry } from '../package-entry.ts';
import type { StoredFile } from '../xar/write-archive.ts';
import { gzipStream, normalizeHeader } from './gzip.ts';
import { type FactsByEntry, packEntries } from './pack-entries.ts';

/**
 * Regroups the bytes into chunks of `size`, with a shorter last one, because passing a chunk to
 * zlib's thread costs more than compressing a small one.
 */
export async function* rechunk(
  pieces: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<Buffer> {
  let chunk = Buffer.allocUnsafeSlow(size);
  let used = 0;
  for await (const piece of pieces)
    for (let consumed = 0; consumed < piece.length;) {
      const count = Math.min(piece.length - consumed, size - used);
      piece.copy(chunk, used, consumed, consumed + count);
      consumed += count;
      used += count;
      if (used < size) continue;
      yield chunk;
      chunk = Buffer.allocUnsafeSlow(size);
      used = 0;
    }

  if (used > 0) yield chunk.subarray(0, used);
}

export interface WrittenPayload {
  stored: StoredFile;
  facts: FactsByEntry;
}

const PIECE_BYTES = 1 << 20;

/**
 * Packs and compresses the entries into a new file, in constant memory. `onBytes` receives the
 * number of bytes packed so far.
 *
 * @throws InstallerError for a file that cannot be read or changes during packing
 */
export async function writePayload(
  path: string,
  entries: readonly PackageEntry[],
  onBytes: (packed: number) => void,
): Promise<WrittenPayload> {
  const facts: FactsByEntry = new Map();
  const sha1 = createHash('sha1');
  let size = 0;
  await using file = await open(path, 'wx');
  await pipeline(
    counted(rechunk(packEntries(entries, facts), PIECE_BYTES), onBytes),
    gzipStream(),
    normalizeHeader,
    async (compressed: AsyncIterable<Buffer>) => {
      for await (const chunk of compressed) {
        sha1.update(chunk);
        size += chunk.length;
        await file.writeFile(chunk);
      }
    },
  );
  return { stored: { path, size, sha1: sha1.digest('hex') }, facts };
}

async function* counted(
  pieces: AsyncIterable<Buffer>,
  onBytes: (packed: number) => void,
): AsyncGenerator<Buffer> {
  let packed = 0;
  for await (const piece of pieces) {
    packed += piece.length;
    onBytes(packed);
    yield piece;
  }
}
