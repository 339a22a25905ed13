import { InstallerError } from '../../installer-error.ts';
import { type ByteSource, createByteSource } from './byte-source.ts';
import { createCksum } from './cksum.ts';

/**
 * Validates an install path, as `.` or `./a/b`.
 *
 * @throws InstallerError if it is absolute or could leave the install location
 */
export function checkPath(path: string): string {
  if (path === '.') return path;
  if (path.startsWith('/')) throw new InstallerError(`${path}: the path is absolute`);
  const names = path.startsWith('./') ? path.slice(2).split('/') : path.split('/');
  if (names.some((name) => name === '' || name === '.' || name === '..'))
    throw new InstallerError(`${path}: the path leaves the destination folder`);
  return `./${names.join('/')}`;
}

export interface CpioHeader {
  /** `.` or `./a/b`. */
  path: string;
  kind: FileKind;
  /** The mode, including the file type bits. */
  mode: number;
  /** Bytes. */
  size: number;
}

export interface CpioEntry extends CpioHeader {
  /** POSIX cksum of the content or of a link's target, and 0 for a folder. */
  checksum: number;
  /** Target of a link. */
  target: string | null;
}

/** Receives the content of one file in chunks. */
export interface FileReader {
  take: (piece: Buffer) => void;
  end: () => void;
}

export type FileKind = 'file' | 'directory' | 'link';

const kinds: Readonly<Record<number, FileKind>> = {
  0o100000: 'file',
  0o040000: 'directory',
  0o120000: 'link',
};

/** The largest number in the format's inode field. */
export const ENTRY_LIMIT = 0o777777;
const TARGET_LIMIT = 4096;
/** Writers pad their last block with zeros; tar-like tools use blocks of up to 64 KiB. */
const PADDING_LIMIT = 64 * 1024;
/** The number of octal digits of each field after the magic: device, inode, mode, … name, size. */
const fields = [6, 6, 6, 6, 6, 6, 6, 11, 6, 11] as const;
const HEADER_SIZE = 76;

/**
 * Reads a cpio archive in the portable ASCII format (odc). `accept` receives each header before its
 * data is read, and throws to reject it: this bounds the cost of a malicious archive. It may return
 * a reader for the content.
 *
 * @throws InstallerError if the archive is damaged, a path leaves it, goes through a link or occurs
 *   twice, or an entry is not a file, folder or link
 */
export async function* readCpio(
  chunks: AsyncIterable<Buffer>,
  accept: (header: CpioHeader) => FileReader | null,
): AsyncGenerator<CpioEntry> {
  const source = createByteSource(chunks);
  const kinds = new Map<string, FileKind>();
  try {
    for (let header = await readHeader(source); header; header = await readHeader(source)) {
      checkPlace(header, kinds);
      const reader = accept(header);
      yield { ...header, ...(await readData(source, header, reader)) };
    }
    await checkPadding(source);
  } finally {
    await source.close();
  }
}

/** Reads a header. Returns null for the trailer. */
async function readHeader(source: ByteSource): Promise<CpioHeader | null> {
  const bytes = (await source.take(HEADER_SIZE)).toString('latin1');
  if (!/^070707[0-7]{70}$/.test(bytes)) throw new InstallerError('not a cpio archive (odc)');
  let at = 6;
  const [, , mode, , , , , , nameSize, size] = fields.map((digits) => {
    at += digits;
    return parseInt(bytes.slice(at - digits, at), 8);
  }) as number[] & { length: 10 };
  const path = readName(await source.take(nameSize as number));
  if (path === 'TRAILER!!!') return null;
  const kind = kinds[(mode as number) & 0o170000];
  if (!kind) throw new InstallerError(`${path}: not a file, folder or symbolic link`);
  return { path: checkPath(path), kind, mode: mode as number, size: size as number };
}

function readName(bytes: Buffer): string {
  if (bytes.length < 2 || bytes.indexOf(0) !== bytes.length - 1)
    throw new InstallerError('an entry has no valid name');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, -1));
  } catch {
    throw new InstallerError('the name of an entry is not UTF-8');
  }
}

/**
 * Checks that the parents come first and are folders: an entry below a link would be written
 * elsewhere.
 */
function checkPlace({ path, kind }: CpioHeader, kinds: Map<string, FileKind>): void {
  if (kinds.has(path)) throw new InstallerError(`${path} occurs twice`);
  if (kinds.size >= ENTRY_LIMIT) throw new InstallerError(`more than ${ENTRY_LIMIT} entries`);
  const parent = path.slice(0, path.lastIndexOf('/'));
  if (path !== '.' && kinds.get(parent) !== 'directory')
    throw new InstallerError(`${path} does not follow its parent folder`);
  kinds.set(path, kind);
}

async function readData(
  source: ByteSource,
  { path, kind, size }: CpioHeader,
  reader: FileReader | null,
): Promise<Pick<CpioEntry, 'checksum' | 'target'>> {
  if (kind === 'directory' && size > 0)
    throw new InstallerError(`${path}: is a folder but has data`);
  if (kind === 'directory') return { checksum: 0, target: null };
  if (kind === 'link' && size > TARGET_LIMIT)
    throw new InstallerError(`${path}: the link target is too long (${size} bytes)`);
  const checksum = createCksum();
  const target: Buffer[] = [];
  await source.drain(size, (piece) => {
    checksum.update(piece);
    if (kind === 'link') target.push(piece);
    reader?.take(piece);
  });
  reader?.end();
  return {
    checksum: checksum.finish(),
    target: kind === 'link' ? Buffer.concat(target).toString('utf8') : null,
  };
}

async function checkPadding(source: ByteSource): Promise<void> {
  let padding = 0;
  for (let piece = await source.next(); piece; piece = await source.next()) {
    padding += piece.length;
    if (padding > PADDING_LIMIT || piece.some((byte) => byte !== 0))
      throw new InstallerError('bytes follow the end of the cpio archive');
  }
}
