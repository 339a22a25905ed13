import type { ContentFacts } from '../bom/path-record.ts';
import { odcHeader, odcTrailer } from '../cpio-odc.ts';
import { MACH_HEAD_BYTES, type MachSlice, readMachO } from '../mach-o.ts';
import type { FileEntry, PackageEntry } from '../package-entry.ts';
import { createPosixChecksum, type PosixChecksum } from '../posix-checksum.ts';
import { readContent } from './read-content.ts';

/** Facts about each file, which are collected while packing. */
export type FactsByEntry = Map<PackageEntry, ContentFacts>;

/** Packs the entries into a cpio archive, in chunks of any size. Every file is read once. */
export async function* packEntries(
  entries: readonly PackageEntry[],
  facts: FactsByEntry,
): AsyncGenerator<Buffer> {
  for (const [inode, entry] of entries.entries()) {
    yield odcHeader(entry, inode);
    if (entry.type === 'link') yield Buffer.from(entry.target);
    if (entry.type === 'file') yield* packFile(entry, facts);
  }
  yield odcTrailer();
}

async function* packFile(entry: FileEntry, facts: FactsByEntry): AsyncGenerator<Buffer> {
  const examination = createFileDigest(entry.size);
  for await (const piece of readContent(entry)) {
    examination.update(piece);
    yield piece;
  }
  facts.set(entry, examination.finish());
}

interface FileDigest {
  update: (piece: Buffer) => void;
  finish: () => ContentFacts;
}

/** Computes the checksums of a file and of each architecture in it, in one pass. */
function createFileDigest(size: number): FileDigest {
  const whole = createPosixChecksum();
  let machO: ReturnType<typeof readMachO> | undefined;
  let parts: { slice: MachSlice; checksum: PosixChecksum }[] = [];
  let done = 0;
  return {
    update(piece) {
      // The first chunk contains the head, because only the last chunk of a file may be smaller.
      if (machO === undefined) {
        machO = readMachO(piece.subarray(0, MACH_HEAD_BYTES), size);
        if (machO?.fat)
          parts = machO.slices.map((slice) => ({ slice, checksum: createPosixChecksum() }));
      }
      whole.update(piece);
      for (const part of parts) part.checksum.update(overlap(piece, done, part.slice));
      done += piece.length;
    },
    finish() {
      const checksum = whole.value();
      if (!machO) return { checksum, machO: null };
      const slices = machO.slices.map((slice, i) => ({
        ...slice,
        checksum: parts[i]?.checksum.value() ?? checksum,
      }));
      return { checksum, machO: { fat: machO.fat, slices } };
    },
  };
}

/** The part of a chunk at `position` that belongs to a slice. */
function overlap(piece: Buffer, position: number, { offset, size }: MachSlice): Buffer {
  const from = Math.max(0, offset - position);
  return piece.subarray(from, Math.max(from, Math.min(piece.length, offset + size - position)));
}
