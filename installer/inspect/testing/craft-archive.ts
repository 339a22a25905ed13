import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { PackageSigner } from '../../signing/package-signer.ts';

/** A file of an archive; its metadata may be wrong. */
export interface CraftedFile {
  path: string;
  content: Uint8Array;
  /** Stores the content as a zlib stream. */
  zlib?: boolean;
  /** Overrides elements of the file's `<data>`, or drops those that are null. */
  data?: Readonly<Record<string, string | null>>;
}

export interface CraftedArchive {
  files: readonly CraftedFile[];
  digest?: 'sha1' | 'sha256' | 'sha512';
  signer?: PackageSigner;
  /** Number of unreferenced bytes before the files. */
  gap?: number;
  editToc?: (xml: string) => string;
  editStoredToc?: (stored: Buffer) => Buffer;
  editHeader?: (header: Buffer) => void;
  /** Edits the content of the signature slots. */
  editSlots?: (slots: Buffer) => Buffer;
  /** Bytes after the archive. */
  tail?: Uint8Array;
}

const algorithmNumbers = { sha1: 1, sha256: 3, sha512: 4 } as const;
const hash = (name: string, bytes: Uint8Array) => createHash(name).update(bytes).digest();

/**
 * Writes an archive from the format's description, independently of the real writer, so that the
 * reader is tested against a second writer and against malformed archives.
 */
export async function craftArchive(archive: CraftedArchive): Promise<Buffer> {
  const { digest = 'sha1', signer, files, gap = 0 } = archive;
  const checksumSize = hash(digest, Buffer.alloc(0)).length;
  const slotSize = signer ? signer.rsaSize + signer.cmsSize : 0;
  const heapStart = checksumSize + slotSize + gap;
  const stored = files.map(({ content, zlib }) => (zlib ? deflateSync(content) : content));
  const xml =
    `<?xml version="1.0" encoding="UTF-8"?><xar><toc>` +
    `<checksum style="${digest}"><size>${checksumSize}</size><offset>0</offset></checksum>` +
    `<creation-time>2026-01-02T03:04:05</creation-time>${signer ? slots(signer, checksumSize) : ''}` +
    `${tree(files, stored, heapStart)}</toc></xar>`;
  const text = Buffer.from(archive.editToc?.(xml) ?? xml);
  const toc = archive.editStoredToc?.(deflateSync(text)) ?? deflateSync(text);
  const header = Buffer.alloc(28);
  header.write('xar!');
  header.writeUInt16BE(28, 4);
  header.writeUInt16BE(1, 6);
  header.writeBigUInt64BE(BigInt(toc.length), 8);
  header.writeBigUInt64BE(BigInt(text.length), 16);
  header.writeUInt32BE(algorithmNumbers[digest], 24);
  archive.editHeader?.(header);
  const checksum = hash(digest, toc);
  const signatures = signer ? await sign(signer, checksum) : Buffer.alloc(0);
  const written = archive.editSlots?.(signatures) ?? signatures;
  const tail = archive.tail ?? Buffer.alloc(0);
  return Buffer.concat([header, toc, checksum, written, Buffer.alloc(gap, 1), ...stored, tail]);
}

async function sign(signer: PackageSigner, checksum: Buffer): Promise<Buffer> {
  const cms = Buffer.alloc(signer.cmsSize);
  cms.set(await signer.signCms(checksum));
  return Buffer.concat([signer.signRsa(checksum), cms]);
}

function slots({ rsaSize, cmsSize, chain }: PackageSigner, start: number): string {
  const certificates = chain.map(
    (der) => `<X509Certificate>${Buffer.from(der).toString('base64')}</X509Certificate>`,
  );
  const slot = (name: string, style: string, offset: number, size: number) =>
    `<${name} style="${style}"><offset>${offset}</offset><size>${size}</size>` +
    `<KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data>${certificates.join('')}` +
    `</X509Data></KeyInfo></${name}>`;
  return (
    slot('signature', 'RSA', start, rsaSize) + slot('x-signature', 'CMS', start + rsaSize, cmsSize)
  );
}

/** The XML of the files in their order. Files of the same folder must be adjacent. */
function tree(files: readonly CraftedFile[], stored: readonly Uint8Array[], start: number) {
  let offset = start;
  let id = 0;
  let open = '';
  let xml = '';
  const enter = (folder: string) => {
    if (folder === open) return;
    if (open !== '') xml += '</file>';
    if (folder !== '')
      xml += `<file id="${(id += 1)}"><type>directory</type><name>${folder}</name>`;
    open = folder;
  };
  files.forEach((file, index) => {
    const { path } = file;
    enter(path.includes('/') ? path.slice(0, path.indexOf('/')) : '');
    const bytes = stored[index] as Uint8Array;
    const name = path.slice(path.indexOf('/') + 1);
    xml +=
      `<file id="${(id += 1)}"><data>${describe(file, bytes, offset)}</data>` +
      `<type>file</type><mode>0644</mode><name>${name}</name></file>`;
    offset += bytes.length;
  });
  enter('');
  return xml;
}

function describe({ content, zlib, data }: CraftedFile, stored: Uint8Array, offset: number) {
  const elements = {
    length: `<length>${stored.length}</length>`,
    offset: `<offset>${offset}</offset>`,
    size: `<size>${content.length}</size>`,
    encoding: `<encoding style="application/${zlib ? 'x-gzip' : 'octet-stream'}"/>`,
    extracted: checksum('extracted', content),
    archived: checksum('archived', stored),
    ...data,
  };
  return Object.values(elements).join('');
}

const checksum = (which: string, bytes: Uint8Array) =>
  `<${which}-checksum style="sha1">${hash('sha1', bytes).toString('hex')}</${which}-checksum>`;
