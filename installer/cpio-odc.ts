import { contentSize, fullMode, type PackageEntry } from './package-entry.ts';

/**
 * The maximum number of entries. Inodes are counted from 0 in 18 bits; the trailer does not use
 * one.
 */
export const MAX_ENTRIES = 0o777777;

/**
 * The header of an entry in a portable ASCII archive ("odc"), including its name. The content
 * follows without padding.
 */
export function odcHeader(entry: PackageEntry, inode: number): Buffer {
  return header({
    name: entry.path,
    inode,
    mode: fullMode(entry),
    uid: entry.uid,
    gid: entry.gid,
    links: entry.type === 'directory' ? 2 : 1,
    mtime: entry.mtime,
    size: contentSize(entry),
  });
}

export const odcTrailer = (): Buffer =>
  header({ name: 'TRAILER!!!', inode: 0, mode: 0, uid: 0, gid: 0, links: 1, mtime: 0, size: 0 });

interface Header {
  name: string;
  inode: number;
  mode: number;
  uid: number;
  gid: number;
  links: number;
  mtime: number;
  size: number;
}

function header({ name, inode, mode, uid, gid, links, mtime, size }: Header): Buffer {
  const short = [0, inode, mode, uid, gid, links, 0].map((field) => octal(field, 6)).join('');
  const nameSize = octal(Buffer.byteLength(name) + 1, 6);
  return Buffer.from(`070707${short}${octal(mtime, 11)}${nameSize}${octal(size, 11)}${name}\0`);
}

function octal(value: number, digits: number): string {
  const text = value.toString(8).padStart(digits, '0');
  if (text.length > digits) throw new RangeError(`${value} does not fit ${digits} octal digits`);
  return text;
}
