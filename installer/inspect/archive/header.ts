import { InstallerError } from '../../installer-error.ts';
import { xmlLimit } from '../xml.ts';
import { type DigestName, digestOfNumber } from './digests.ts';

export interface ArchiveHeader {
  digest: DigestName;
  /** Stored size of the table of contents, which follows the header. */
  tocStored: number;
  tocInflated: number;
  /** Start of the heap, which offsets in the table of contents are relative to. */
  heapStart: number;
}

export const headerSize = 28;

/**
 * Parses the 28 bytes at the start of a xar archive, all numbers big endian: magic, size of the
 * header, version, both sizes of the table of contents, algorithm of its checksum. No checksum
 * covers them, so each must have its only valid value or match what it describes.
 */
export function readHeader(bytes: Buffer): ArchiveHeader {
  if (bytes.toString('latin1', 0, 4) !== 'xar!')
    throw new InstallerError(`not a macOS package (.pkg): it ${describeOther(bytes)}`);
  const size = bytes.readUInt16BE(4);
  if (size !== headerSize)
    throw new InstallerError(`header of ${size} bytes, expected ${headerSize}`);
  const version = bytes.readUInt16BE(6);
  if (version !== 1) throw new InstallerError(`xar version ${version}, expected 1`);
  const tocStored = readSize(bytes, 8, 'stored');
  const tocInflated = readSize(bytes, 16, 'inflated');
  const digest = digestOfNumber(bytes.readUInt32BE(24));
  return { digest, tocStored, tocInflated, heapStart: headerSize + tocStored };
}

/** What people pass by mistake: the packages for Linux are made by the same command. */
function describeOther(bytes: Buffer): string {
  const start = bytes.toString('latin1');
  if (start.startsWith('!<arch>\ndebian-binary'))
    return 'is a package of Debian (.deb), which `dpkg-deb --info` and `--contents` show';
  if (start.startsWith('\x7FELF')) return 'is a program for Linux, such as an AppImage';
  if (start.startsWith('PK\x03\x04')) return 'is a zip archive';
  return 'does not begin with "xar!"';
}

function readSize(bytes: Buffer, at: number, which: string): number {
  const size = bytes.readBigUInt64BE(at);
  if (size === 0n || size > BigInt(xmlLimit))
    throw new InstallerError(
      `table of contents of ${size} bytes ${which}, expected 1 to ${xmlLimit}`,
    );
  return Number(size);
}
