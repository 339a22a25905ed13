interface EntryFacts {
  /** In the form of cpio and Bom: `.`, `./Applications`, `./Applications/X.app`. */
  path: string;
  /** Permission bits, without those of the file type. */
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
   * Fingerprint of the file when its size was read; a different one means that it has changed
   * since.
   */
  stamp: string;
}

const typeBits = { file: 0o100000, directory: 0o040000, link: 0o120000 };

/** The mode in the form of cpio and Bom. */
export const fullMode = ({ type, mode }: PackageEntry): number => typeBits[type] | mode;

/** Content size as counted by cpio and Bom: a link's content is its target. */
export function contentSize(entry: PackageEntry): number {
  if (entry.type === 'directory') return 0;
  return entry.type === 'link' ? Buffer.byteLength(entry.target) : entry.size;
}
