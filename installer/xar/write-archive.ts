import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import { InstallerError } from '../installer-error.ts';
import type { PackageSigner } from '../signing/package-signer.ts';
import { CHECKSUM_SIZE, type TocEntry, type TocFile, writeToc } from './toc.ts';

/** A file that is stored in the archive unchanged. */
export interface StoredFile {
  path: string;
  size: number;
  /** Hexadecimal. */
  sha1: string;
}

export interface ArchiveFile {
  name: string;
  content: Uint8Array | StoredFile;
  /** Whether the content is compressed already. If so, it is stored unchanged. */
  compressed?: boolean;
}

export interface ArchiveFolder {
  name: string;
  entries: readonly ArchiveFile[];
}

export type ArchiveEntry = ArchiveFile | ArchiveFolder;

export interface Archive {
  entries: readonly ArchiveEntry[];
  /** Milliseconds, rounded to whole seconds. */
  createdAt: number;
  signer?: PackageSigner | undefined;
}

const HEADER_SIZE = 28;
const SHA1 = 1;

/**
 * Writes a xar archive: header, compressed table of contents, and the heap, which starts with that
 * table's checksum and the signatures over it. The output is deterministic except for signatures.
 *
 * @throws InstallerError if a signature does not fit its slot
 */
export async function writeArchive(path: string, archive: Archive): Promise<void> {
  const { entries, createdAt, signer } = archive;
  const heap = createHeap(CHECKSUM_SIZE + (signer ? signer.rsaSize + signer.cmsSize : 0));
  const placed = entries.map((entry): TocEntry =>
    'entries' in entry
      ? { name: entry.name, entries: entry.entries.map(heap.place) }
      : heap.place(entry),
  );
  const toc = Buffer.from(writeToc(placed, createdAt, signer));
  const compressedToc = deflateSync(toc);
  const checksum = createHash('sha1').update(compressedToc).digest();
  const signatures = signer ? await sign(signer, checksum) : [];
  await using file = await open(path, 'w');
  const head = [header(compressedToc, toc), compressedToc, checksum, ...signatures];
  await file.writeFile(Buffer.concat(head));
  for (const part of heap.parts) await append(file, part);
}

/** Assigns consecutive offsets to the files. */
function createHeap(start: number) {
  let offset = start;
  const parts: (Uint8Array | StoredFile)[] = [];
  const allocate = (file: ArchiveFile): TocFile => {
    const { part, ...data } = encode(file);
    parts.push(part);
    offset += data.length;
    return { name: file.name, offset: offset - data.length, ...data };
  };
  return { parts, place: allocate };
}

function encode({ content, compressed = false }: ArchiveFile) {
  if (compressed || !(content instanceof Uint8Array)) {
    const isBytes = content instanceof Uint8Array;
    const size = isBytes ? content.length : content.size;
    const sha1 = isBytes ? sha1Of(content) : content.sha1;
    const checksums = { archivedChecksum: sha1, extractedChecksum: sha1 };
    return {
      part: content,
      length: size,
      size,
      encoding: 'application/octet-stream' as const,
      ...checksums,
    };
  }
  // The format calls this encoding gzip, but it is a zlib stream.
  const part = deflateSync(content);
  return {
    part,
    length: part.length,
    size: content.length,
    encoding: 'application/x-gzip' as const,
    archivedChecksum: sha1Of(part),
    extractedChecksum: sha1Of(content),
  };
}

const sha1Of = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex');

async function sign(signer: PackageSigner, checksum: Buffer): Promise<Uint8Array[]> {
  const rsa = signer.signRsa(checksum);
  const cms = await signer.signCms(checksum);
  if (rsa.length !== signer.rsaSize)
    throw new InstallerError(
      `RSA signature: ${rsa.length} bytes, but ${signer.rsaSize} are reserved for it`,
    );
  if (cms.length > signer.cmsSize)
    throw new InstallerError(
      `CMS signature: ${cms.length} bytes, but ${signer.cmsSize} are reserved for it`,
    );
  return [rsa, cms, Buffer.alloc(signer.cmsSize - cms.length)];
}

function header(compressedToc: Buffer, toc: Buffer): Buffer {
  const bytes = Buffer.alloc(HEADER_SIZE);
  bytes.write('xar!');
  bytes.writeUInt16BE(HEADER_SIZE, 4);
  bytes.writeUInt16BE(1, 6);
  bytes.writeBigUInt64BE(BigInt(compressedToc.length), 8);
  bytes.writeBigUInt64BE(BigInt(toc.length), 16);
  bytes.writeUInt32BE(SHA1, 24);
  return bytes;
}

async function append(file: FileHandle, part: Uint8Array | StoredFile): Promise<void> {
  const isBytes = part instanceof Uint8Array;
  await file.writeFile(isBytes ? part : createReadStream(part.path, { highWaterMark: 1 << 20 }));
}
