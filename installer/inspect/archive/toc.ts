import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { InstallerError } from '../../installer-error.ts';
import { find, parseXml, type XmlElement } from '../xml.ts';
import {
  type DigestName,
  digestOfStyle,
  digestSizes,
  type ArchiveHeader,
  readNumber,
} from './header.ts';
import { type ArchiveEntry, readEntries } from './entries.ts';

/** The table of contents. All offsets are in bytes from the start of the heap. */
export interface Toc {
  checksum: { digest: DigestName; offset: number; size: number };
  created: string | null;
  slots: SignatureSlot[];
  entries: ArchiveEntry[];
}

/**
 * An extent of the heap that is reserved for a signature of the checksum, with the signer's
 * certificates.
 */
export interface SignatureSlot {
  style: string;
  offset: number;
  size: number;
  /** DER, the signer's certificate first. */
  certificates: Buffer[];
}

/**
 * Inflates the table of contents to exactly the stated size.
 *
 * @throws InstallerError
 */
export function inflateToc(stored: Buffer, header: ArchiveHeader): Buffer {
  const { buffer, engine } = inflateExactly(stored, header.tocInflated);
  if (buffer.length !== header.tocInflated)
    throw new InstallerError(
      `decompresses to ${buffer.length} bytes, not the stated ${header.tocInflated}`,
    );
  if (engine.bytesWritten !== stored.length)
    throw new InstallerError(
      `${stored.length - engine.bytesWritten} bytes follow the compressed XML`,
    );
  return buffer;
}

/** The digest of the table as stored, which the heap must contain and which is signed. */
export const digestToc = (stored: Buffer, digest: DigestName): Buffer =>
  createHash(digest).update(stored).digest();

/** @throws InstallerError unless the XML is that of a xar archive */
export function parseToc(xml: Buffer): Toc {
  const root = parseXml(xml);
  const toc = find(root, 'toc');
  if (root.name !== 'xar' || !toc) throw new InstallerError('not the XML of a xar archive');
  return {
    checksum: readChecksum(toc),
    created: find(toc, 'creation-time')?.text ?? null,
    slots: toc.children
      .filter(({ name }) => name === 'signature' || name === 'x-signature')
      .map(readSlot),
    entries: readEntries(toc),
  };
}

function readChecksum(toc: XmlElement): Toc['checksum'] {
  const element = find(toc, 'checksum');
  if (!element) throw new InstallerError('no checksum is stated');
  const digest = digestOfStyle(element.attributes.get('style'));
  const size = readNumber(element, 'size');
  if (size !== digestSizes[digest])
    throw new InstallerError(`checksum of ${size} bytes, ${digest} has ${digestSizes[digest]}`);
  return { digest, offset: readNumber(element, 'offset'), size };
}

function readSlot(element: XmlElement): SignatureSlot {
  const data = find(element, 'KeyInfo', 'X509Data');
  return {
    style: element.attributes.get('style') ?? '',
    offset: readNumber(element, 'offset'),
    size: readNumber(element, 'size'),
    certificates: (data?.children ?? [])
      .filter(({ name }) => name === 'X509Certificate')
      .map(({ text }) => Buffer.from(text, 'base64')),
  };
}

function inflateExactly(stored: Buffer, size: number) {
  try {
    // With `info`, the result has the buffer and the engine. The types declare only the buffer.
    return inflateSync(stored, { maxOutputLength: size, info: true }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE')
      throw new InstallerError(`decompresses to more than the stated ${size} bytes`);
    throw new InstallerError('is damaged: it cannot be decompressed', { cause: error });
  }
}
