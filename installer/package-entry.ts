interface EntryFacts {
  /** The path as in cpio and Bom: `.`, `./Applications`, `./Applications/X.app`. */
  path: string;
  /** The permission bits, without those of the file type. */
  mode: number;
  uid: number;
  gid: number;
  /** Seconds since 1970. */
  mtime: number;
}

export type DirectoryEntry = EntryFacts & { type: 'directory' };
export type LinkEntry = EntryFacts & { type: 'link'; target: string };
export type FileEntry = EntryFacts & { type: 'file'; size: number; content: FileContent };

/** An entry that a package installs, or one of its scripts. */
export type PackageEntry = DirectoryEntry | LinkEntry | FileEntry;

export type FileContent = Uint8Array | FileOnDisk;

export interface FileOnDisk {
  path: string;
  /**
   * The fingerprint of the file at the time when its size was read. A different fingerprint means
   * that the file has changed since.
   */
  fingerprint: string;
}

const typeBits = { file: 0o100000, directory: 0o040000, link: 0o120000 };

/** The mode as in cpio and Bom. */
export const fullMode = ({ type, mode }: PackageEntry): number => typeBits[type] | mode;

/** The content size as counted by cpio and Bom. The content of a link is its target. */
export function contentSize(entry: PackageEntry): number {
  if (entry.type === 'directory') return 0;
  return entry.type === 'link' ? Buffer.byteLength(entry.target) : entry.size;
}
