import type { PackageSigner } from '../signing/package-signer.ts';
import { escapeXml } from '../xml.ts';

export const CHECKSUM_SIZE = 20;

/** A member of the archive, with its location in the heap. */
export type TocEntry = TocFile | TocFolder;

export interface TocFolder {
  name: string;
  entries: readonly TocFile[];
}

export interface TocFile {
  name: string;
  /** The offset from the start of the heap. */
  offset: number;
  /** The size in bytes within the archive. `size` is the size after extraction. */
  length: number;
  size: number;
  encoding: 'application/octet-stream' | 'application/x-gzip';
  /** SHA-1, hexadecimal. */
  archivedChecksum: string;
  extractedChecksum: string;
}

/**
 * Formats the table of contents as XML. `createdAt` is in milliseconds. The signature slots follow
 * the checksum and are part of the signed table.
 */
export function writeToc(
  entries: readonly TocEntry[],
  createdAt: number,
  signer?: PackageSigner,
): string {
  let id = 0;
  const file = (entry: TocFile): string =>
    `<file id="${(id += 1)}">${dataElement(entry)}<type>file</type>${mode('0644')}${nameElement(entry)}</file>`;
  const folder = (entry: TocFolder): string => {
    id += 1;
    const head = `<file id="${id}"><type>directory</type>${mode('0755')}${nameElement(entry)}`;
    return `${head}${entry.entries.map(file).join('')}</file>`;
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n<xar><toc>',
    `<checksum style="sha1"><size>${CHECKSUM_SIZE}</size><offset>0</offset></checksum>`,
    `<creation-time>${new Date(createdAt).toISOString().slice(0, 19)}</creation-time>`,
    signer ? signatureElements(signer) : '',
    ...entries.map((entry) => ('entries' in entry ? folder(entry) : file(entry))),
    '</toc></xar>\n',
  ].join('\n');
}

function signatureElements({ chain, rsaSize, cmsSize }: PackageSigner): string {
  const certificates = chain.map(
    (der) => `<X509Certificate>${Buffer.from(der).toString('base64')}</X509Certificate>`,
  );
  const keyInfo =
    '<KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#">' +
    `<X509Data>${certificates.join('')}</X509Data></KeyInfo>`;
  const slot = (offset: number, size: number) =>
    `<offset>${offset}</offset><size>${size}</size>${keyInfo}`;
  return (
    `<signature style="RSA">${slot(CHECKSUM_SIZE, rsaSize)}</signature>\n` +
    `<x-signature style="CMS">${slot(CHECKSUM_SIZE + rsaSize, cmsSize)}</x-signature>`
  );
}

// Without a mode, extractors would make files writable for all users.
const mode = (octal: string): string => `<mode>${octal}</mode>`;

const nameElement = ({ name }: TocEntry): string => `<name>${escapeXml(name)}</name>`;

const dataElement = (file: TocFile): string =>
  `<data><length>${file.length}</length><offset>${file.offset}</offset><size>${file.size}</size>` +
  `<encoding style="${file.encoding}"/>` +
  `<extracted-checksum style="sha1">${file.extractedChecksum}</extracted-checksum>` +
  `<archived-checksum style="sha1">${file.archivedChecksum}</archived-checksum></data>`;
