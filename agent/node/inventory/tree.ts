import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { followLinks } from './follow-links.ts';
import { tryOrUndefined } from '../try-or-undefined.ts';

export interface FolderEntry {
  name: string;
  kind: 'file' | 'directory' | 'link' | 'other';
}

export interface FileContent {
  bytes: Buffer;
  /** Set if only the start and the end were read: the end, and the size of the file. */
  rest?: { end: Buffer; size: number };
  /** Whether every user of the machine may read it and pass all folders above it. */
  worldReadable: boolean;
}

/**
 * A file system seen from a root, like `chroot`. All paths are absolute within it.
 *
 * Its calls are synchronous, so a scan blocks its thread: that takes a quarter of the CPU time of
 * asynchronous calls, and only synchronous calls have the low priority of the scan's thread. The
 * agent therefore scans on a separate thread.
 */
export interface Tree {
  root: string;
  /** The entries of a folder by name. Empty if it is missing, unreadable or not a folder. */
  list: (dir: string) => Promise<FolderEntry[]>;
  /** The real path; undefined if it is missing or the links form a loop. */
  resolve: (path: string) => Promise<string | undefined>;
  stat: (path: string) => Promise<Stats | undefined>;
  /** Whether this process may open it for reading. */
  mayOpen: (path: string) => Promise<boolean>;
  /** Whether every user of the machine may read it and pass all folders above it. */
  isPublic: (path: string) => Promise<boolean>;
  /** Like `isPublic`, for a user: files and folders of his own do not have to be public. */
  isReadableBy: (path: string, uid: number) => Promise<boolean>;
  /** The path itself without following links, for walks over many folders. */
  lookUp: (path: string) => Stats | undefined;
  /** Like `list`, unsorted, of a folder whose path contains no links. */
  entries: (dir: string) => FolderEntry[];
  /**
   * The text of a file below /proc; empty if it is missing. Never cached, because it always
   * changes.
   */
  kernelText: (path: string) => string;
  /**
   * Reads a file; undefined if it is missing. `problem` is the reason if it cannot be read. A file
   * beyond the limit is not read; with `end`, its start and that many bytes of its end are read.
   */
  read: (
    path: string,
    limit: number,
    end?: number,
  ) => Promise<FileContent | { error: string } | undefined>;
}

/** Non-blocking, because opening a pipe without a writer would wait forever. */
const readOnly = constants.O_RDONLY | constants.O_NONBLOCK;

const byName = (a: FolderEntry, b: FolderEntry) => (a.name < b.name ? -1 : 1);

const tryLstat = (path: string) => tryOrUndefined(() => lstatSync(path, { throwIfNoEntry: false }));
const tryStat = (path: string) => tryOrUndefined(() => statSync(path, { throwIfNoEntry: false }));

/**
 * Most tested paths do not exist, and a throwing call is ten times as expensive, so `tryStat` runs
 * first.
 */
const realPath = (path: string) => tryStat(path) && tryOrUndefined(() => realpathSync.native(path));

/** `readNames` lists folders; tests replace it to shuffle the order. */
export function openTree(
  root: string,
  readNames: (dir: string) => FolderEntry[] = listFolder,
): Tree {
  const isWhole = root === '/';
  const follow = (path: string) => (isWhole ? realPath(path) : followLinks(root, path));
  /** The path outside this tree. */
  const real = (path: string) => {
    if (isWhole) return path;
    const target = followLinks(root, path);
    return target === undefined ? undefined : join(root, target);
  };
  const on = <T>(path: string, use: (target: string) => T | undefined) => {
    const target = real(path);
    return target === undefined ? undefined : use(target);
  };
  const lookUp = (path: string) => tryLstat(isWhole ? path : join(root, path));
  const mayPass = (dir: string, uid: number | undefined): boolean => {
    const info = lookUp(dir);
    return info !== undefined && (info.uid === uid || (info.mode & 0o001) !== 0);
  };
  const isPublic = (path: string, mode: number, uid?: number) =>
    (mode & 0o004) !== 0 && foldersAbove(follow(path) ?? path).every((dir) => mayPass(dir, uid));

  return {
    root,
    resolve: async (path) => follow(path),
    list: async (dir) =>
      on(
        dir,
        (target) =>
          // Most tested folders do not exist, and a failed listing throws.
          tryStat(target) && tryOrUndefined(() => readNames(target).toSorted(byName)),
      ) ?? [],
    stat: async (path) => on(path, tryStat),
    isPublic: async (path) => isPublic(path, on(path, tryStat)?.mode ?? 0),
    isReadableBy: async (path, uid) => {
      const info = on(path, tryStat);
      return info !== undefined && (info.uid === uid || isPublic(path, info.mode, uid));
    },
    lookUp,
    entries: (dir) => tryOrUndefined(() => readNames(isWhole ? dir : join(root, dir))) ?? [],
    kernelText: (path) =>
      tryOrUndefined(() => readKernelFile(isWhole ? path : join(root, path))) ?? '',
    mayOpen: async (path) => on(path, canOpen) ?? false,
    read: async (path, limit, end) => {
      const content = on(path, (target) => readRegular(target, limit, end));
      if (!content || 'error' in content) return content;
      const { mode, ...read } = content;
      return { ...read, worldReadable: isPublic(path, mode) };
    },
  };
}

function kindOf(entry: Dirent): FolderEntry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

export function listFolder(dir: string): FolderEntry[] {
  const entries = readdirSync(dir, { withFileTypes: true });
  return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
}

function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(1, -1);
  return parts.map((_, i) => `/${parts.slice(0, i + 1).join('/')}`);
}

function canOpen(path: string): boolean {
  const file = tryOrUndefined(() => openSync(path, readOnly));
  if (file !== undefined) closeSync(file);
  return file !== undefined;
}

/** A single buffer for all reads: kernel files are many, short, and of unknown size. */
const chunk = Buffer.alloc(64 * 1024);

function readRegular(
  path: string,
  limit: number,
  end = 0,
): (Omit<FileContent, 'worldReadable'> & { mode: number }) | { error: string } | undefined {
  if (!tryStat(path)) return undefined;
  let file: number | undefined;
  try {
    file = openSync(path, readOnly);
    const info = fstatSync(file);
    if (!info.isFile()) return { error: 'is not a file' };
    if (info.size > limit && end > 0) return { ...readEnds(file, limit, end), mode: info.mode };
    if (info.size > limit) return { error: `is larger than ${limit / 1024} KiB, not read` };
    // Files below /proc report length 0: only reading them reveals the real length.
    const isLarge = info.size > chunk.length;
    const bytes = isLarge ? readWhole(file, info.size) : readUpTo(file, info.size || limit);
    return { bytes, mode: info.mode };
  } catch (error) {
    return readProblem((error as NodeJS.ErrnoException).code ?? 'EIO');
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

const missing = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ESRCH']);

function readProblem(code: string): { error: string } | undefined {
  if (missing.has(code)) return undefined;
  const denied = code === 'EACCES' || code === 'EPERM';
  return { error: denied ? 'may not be read' : `cannot be read (${code})` };
}

/** The end does not overlap with the start, and is taken from the current size. */
function readEnds(file: number, limit: number, maxBytes: number) {
  const bytes = readUpTo(file, limit);
  const { size } = fstatSync(file);
  const from = Math.max(bytes.length, size - maxBytes);
  const end = Buffer.alloc(Math.max(0, size - from));
  const length = end.length === 0 ? 0 : readSync(file, end, 0, end.length, from);
  return { bytes, rest: { end: end.subarray(0, length), size } };
}

/** Reads into one buffer, so that a large file is not in memory twice. */
function readWhole(file: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(size);
  let length = 0;
  for (let count = -1; count !== 0 && length < size; length += count)
    count = readSync(file, bytes, length, size - length, null);
  return bytes.subarray(0, length);
}

/** A list of sockets has a few megabytes at most. */
const KERNEL_FILE_LIMIT = 16 * 1024 * 1024;

function readKernelFile(path: string): string {
  const file = openSync(path, readOnly);
  try {
    return readUpTo(file, KERNEL_FILE_LIMIT).toString('utf8');
  } finally {
    closeSync(file);
  }
}

function readUpTo(file: number, limit: number): Buffer {
  const parts: Buffer[] = [];
  for (let left = limit; left > 0;) {
    const bytesRead = readSync(file, chunk, 0, Math.min(left, chunk.length), null);
    if (bytesRead === 0) break;
    parts.push(Buffer.from(chunk.subarray(0, bytesRead)));
    left -= bytesRead;
  }
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
}
