import { InstallerError } from '../../installer-error.ts';
import { XML_LIMIT, find, type XmlElement } from '../xml.ts';

/** Digests that are accepted for a table of contents. MD5 or no digest would prove nothing. */
export type DigestName = 'sha1' | 'sha256' | 'sha512';

export const digestSizes: Readonly<Record<DigestName, number>> = {
  sha1: 20,
  sha256: 32,
  sha512: 64,
};

/**
 * The digest numbers in Apple's header. Another implementation of xar uses 3 for a different
 * digest.
 */
const byNumber: Readonly<Record<number, DigestName>> = { 1: 'sha1', 3: 'sha256', 4: 'sha512' };

export function digestOfNumber(number: number): DigestName {
  const name = byNumber[number];
  if (!name) throw new InstallerError(`checksum algorithm ${number} is insecure or unknown`);
  return name;
}

export function digestOfStyle(style: string | undefined): DigestName {
  // Apple writes lower case; the specification does not define the case.
  const name = style?.toLowerCase().replace('-', '');
  if (name === undefined || !Object.hasOwn(digestSizes, name))
    throw new InstallerError(`checksum style "${style ?? ''}" is insecure or unknown`);
  return name as DigestName;
}

export interface ArchiveHeader {
  digest: DigestName;
  /** Stored size of the table of contents, which follows the header. */
  tocStored: number;
  tocInflated: number;
  /** Start of the heap, to which the offsets in the table of contents are relative. */
  heapStart: number;
}

export const HEADER_SIZE = 28;

/**
 * Parses the 28 bytes at the start of a xar archive. All numbers are big endian: magic, size of the
 * header, version, both sizes of the table of contents, algorithm of its checksum. No checksum
 * covers them, so each must have its only valid value or match what it describes.
 */
export function readHeader(bytes: Buffer): ArchiveHeader {
  if (bytes.toString('latin1', 0, 4) !== 'xar!')
    throw new InstallerError(`not a macOS package (.pkg): it ${describeOtherFileType(bytes)}`);
  const size = bytes.readUInt16BE(4);
  if (size !== HEADER_SIZE)
    throw new InstallerError(`header of ${size} bytes, expected ${HEADER_SIZE}`);
  const version = bytes.readUInt16BE(6);
  if (version !== 1) throw new InstallerError(`xar version ${version}, expected 1`);
  const tocStored = readSize(bytes, 8, 'stored');
  const tocInflated = readSize(bytes, 16, 'inflated');
  const digest = digestOfNumber(bytes.readUInt32BE(24));
  return { digest, tocStored, tocInflated, heapStart: HEADER_SIZE + tocStored };
}

/** Describes other file types, such as the packages for Linux, which the same command builds. */
function describeOtherFileType(bytes: Buffer): string {
  const start = bytes.toString('latin1');
  if (start.startsWith('!<arch>\ndebian-binary'))
    return 'is a package of Debian (.deb), which `dpkg-deb --info` and `--contents` show';
  if (start.startsWith('\x7FELF')) return 'is a program for Linux, such as an AppImage';
  if (start.startsWith('PK\x03\x04')) return 'is a zip archive';
  return 'does not begin with "xar!"';
}

function readSize(bytes: Buffer, at: number, which: string): number {
  const size = bytes.readBigUInt64BE(at);
  if (size === 0n || size > BigInt(XML_LIMIT))
    throw new InstallerError(
      `table of contents of ${size} bytes ${which}, expected 1 to ${XML_LIMIT}`,
    );
  return Number(size);
}

/**
 * A whole number in a child element.
 *
 * @throws InstallerError if it is missing or invalid
 */
export function readNumber(element: XmlElement, name: string): number {
  const text = find(element, name)?.text ?? '';
  const value = Number(text);
  if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(value))
    throw new InstallerError(`<${element.name}>: ${name} "${text}" is not a number of bytes`);
  return value;
}
