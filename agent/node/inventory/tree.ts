import { constants, type Dirent, type Stats } from 'node:fs';
import { lstat, open, readdir, realpath, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { followLinks } from './follow-links.ts';

export interface Item {
  name: string;
  kind: 'file' | 'directory' | 'link' | 'other';
}

export interface FileContent {
  bytes: Buffer;
  /** May every user of the machine read it, and pass all folders above it? */
  worldReadable: boolean;
}

/** A file system seen from one root, as `chroot` would show it. All paths are absolute in it. */
export interface Tree {
  root: string;
  /** What a folder holds, by name. Empty where it is missing, unreadable or no folder. */
  list: (dir: string) => Promise<Item[]>;
  /** The path with all links followed, undefined if nothing is there or the links are a loop. */
  resolve: (path: string) => Promise<string | undefined>;
  stat: (path: string) => Promise<Stats | undefined>;
  /** May this process open it for reading? */
  mayOpen: (path: string) => Promise<boolean>;
  /** undefined if there is nothing; `problem` says why something there cannot be read. */
  read: (path: string, limit: number) => Promise<FileContent | { problem: string } | undefined>;
}

/** Non-blocking, because opening a pipe that nobody writes to would wait for ever. */
const readOnly = constants.O_RDONLY | constants.O_NONBLOCK;

const byName = (a: Item, b: Item) => (a.name < b.name ? -1 : 1);

/** `readNames` is how folders are listed: tests shuffle what the system answers. */
export function openTree(root: string, readNames = listFolder): Tree {
  const real = (path: string) => (root === '/' ? path : join(root, path));
  const lookUp = async (path: string) => lstat(real(path)).catch(() => undefined);
  const resolve = (path: string) =>
    root === '/' ? realpath(path).catch(() => undefined) : followLinks(root, path);

  const resolved = async <T>(path: string, use: (target: string) => Promise<T>) => {
    const target = await resolve(path);
    return target === undefined ? undefined : use(target);
  };

  return {
    root,
    resolve,
    list: async (dir) => {
      const items = await resolved(dir, (target) => readNames(real(target)).catch(() => []));
      return (items ?? []).toSorted(byName);
    },
    stat: (path) => resolved(path, lookUp),
    mayOpen: async (path) => (await resolved(path, (target) => opens(real(target)))) ?? false,
    read: (path, limit) =>
      resolved(path, async (target) => {
        const content = await readRegular(real(target), limit);
        if (!content || 'problem' in content) return content;
        const worldReadable = (content.mode & 0o004) !== 0 && (await isPassable(target, lookUp));
        return { bytes: content.bytes, worldReadable };
      }),
  };
}

function kindOf(entry: Dirent): Item['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

export async function listFolder(dir: string): Promise<Item[]> {
  const entries = await readdir(dir, { withFileTypes: true });
  return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
}

/** Can everybody walk through all folders above a file? */
async function isPassable(path: string, lookUp: (path: string) => Promise<Stats | undefined>) {
  const parts = path.split('/').slice(1, -1);
  const folders = parts.map((_, i) => lookUp(`/${parts.slice(0, i + 1).join('/')}`));
  return (await Promise.all(folders)).every((info) => info && (info.mode & 0o001) !== 0);
}

const opens = (path: string) =>
  open(path, readOnly).then(
    (file) => file.close().then(() => true),
    () => false,
  );

const chunkSize = 64 * 1024;

async function readRegular(
  path: string,
  limit: number,
): Promise<{ bytes: Buffer; mode: number } | { problem: string } | undefined> {
  try {
    await using file = await open(path, readOnly);
    const info = await file.stat();
    if (!info.isFile()) return { problem: 'is not a file' };
    if (info.size > limit) return { problem: `is larger than ${limit / 1024} KiB, not read` };
    // Files below /proc say that they are empty: only reading tells their length.
    return { bytes: await readUpTo(file, info.size || limit), mode: info.mode };
  } catch (error) {
    return readProblem((error as NodeJS.ErrnoException).code ?? 'EIO');
  }
}

const missing = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ESRCH']);

function readProblem(code: string): { problem: string } | undefined {
  if (missing.has(code)) return undefined;
  const denied = code === 'EACCES' || code === 'EPERM';
  return { problem: denied ? 'may not be read' : `cannot be read (${code})` };
}

async function readUpTo(file: FileHandle, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let left = limit; left > 0;) {
    const chunk = Buffer.allocUnsafe(Math.min(left, chunkSize));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) break;
    chunks.push(chunk.subarray(0, bytesRead));
    left -= bytesRead;
  }
  return Buffer.concat(chunks);
}
