import { InstallerError } from '../../installer-error.ts';
import { find, type XmlElement } from '../xml.ts';
import { type DigestName, digestOfStyle, readNumber } from './header.ts';

/** A file or folder of the archive. */
export interface ArchiveEntry {
  /** The path from the root of the archive, with `/` between names. */
  path: string;
  type: string;
  mode: string | null;
  /** Null for a folder or an empty file. */
  data: EntryData | null;
  /** The extents of extended attributes, which have separate extents in the heap. */
  attributes: { offset: number; length: number }[];
}

export interface EntryData {
  /** Offset in the heap. */
  offset: number;
  /** Stored size in bytes. */
  length: number;
  /** Decoded size in bytes. */
  size: number;
  encoding: string;
  archived: Checksum | null;
  extracted: Checksum | null;
}

export interface Checksum {
  digest: DigestName;
  /** Lower-case hexadecimal. */
  value: string;
}

const DEPTH_LIMIT = 32;

/**
 * Lists all files below `<toc>`, each folder before its content.
 *
 * @throws InstallerError
 */
export function readEntries(toc: XmlElement): ArchiveEntry[] {
  const entries = readFolder(toc, '', 0);
  const paths = new Set<string>();
  for (const { path } of entries) {
    if (paths.has(path)) throw new InstallerError(`${path} is listed twice`);
    paths.add(path);
  }
  return entries;
}

function readFolder(folder: XmlElement, path: string, depth: number): ArchiveEntry[] {
  if (depth > DEPTH_LIMIT) throw new InstallerError(`folders nested deeper than ${DEPTH_LIMIT}`);
  return folder.children
    .filter(({ name }) => name === 'file')
    .flatMap((file) => {
      const entry = readEntry(file, path);
      return [entry, ...readFolder(file, `${entry.path}/`, depth + 1)];
    });
}

function readEntry(file: XmlElement, folder: string): ArchiveEntry {
  const path = folder + readName(file);
  const type = find(file, 'type')?.text ?? '';
  const data = find(file, 'data');
  if (type !== 'file' && type !== 'directory')
    throw new InstallerError(`${path} is of type "${type}", expected a file or a directory`);
  if (type === 'directory' && data)
    throw new InstallerError(`${path}: is a directory but has data`);
  return {
    path,
    type,
    mode: find(file, 'mode')?.text ?? null,
    data: data ? readData(data) : null,
    attributes: file.children
      .filter(({ name }) => name === 'ea')
      .map((ea) => ({ offset: readNumber(ea, 'offset'), length: readNumber(ea, 'length') })),
  };
}

/** Reads a name. Names that XML cannot represent are base64-encoded. */
function readName(file: XmlElement): string {
  const element = find(file, 'name');
  const text = element?.text ?? '';
  const name =
    element?.attributes.get('enctype') === 'base64'
      ? Buffer.from(text, 'base64').toString('utf8')
      : text;
  if (name === '' || name === '.' || name === '..' || name.includes('/') || name.includes('\0'))
    throw new InstallerError(`"${name}" is not a valid file name`);
  return name;
}

function readData(data: XmlElement): EntryData {
  return {
    offset: readNumber(data, 'offset'),
    length: readNumber(data, 'length'),
    size: readNumber(data, 'size'),
    encoding: find(data, 'encoding')?.attributes.get('style') ?? 'application/octet-stream',
    archived: readChecksum(data, 'archived-checksum'),
    extracted: readChecksum(data, 'extracted-checksum'),
  };
}

function readChecksum(data: XmlElement, name: string): Checksum | null {
  const element = find(data, name);
  if (!element) return null;
  return {
    digest: digestOfStyle(element.attributes.get('style')),
    value: element.text.toLowerCase(),
  };
}
