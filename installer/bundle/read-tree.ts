import { type BigIntStats, constants } from 'node:fs';
import { access, lstat, readdir, readlink } from 'node:fs/promises';
import { kindOf } from '#profile-builder/write-secret-file.ts';
import { InstallerError } from '../installer-error.ts';
import { fingerprintOf, unreadableError } from '../payload/read-content.ts';

/** Compares by UTF-8 bytes, independent of the locale. */
export const compareBytes = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The path without its last part, or an empty string for the root. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes a file name, which macOS requires to be UTF-8. `prefix` is the start of the error
 * message.
 */
export function decodeName(name: Uint8Array, prefix: string): string {
  try {
    return utf8.decode(name);
  } catch (error) {
    const lossy = Buffer.from(name)
      .toString('latin1')
      .replace(/[^ -~]/g, '?');
    throw new InstallerError(`${prefix} ${lossy} is not UTF-8`, { cause: error });
  }
}

/** An entry of a folder; `path` is relative to the folder, and empty for the folder itself. */
export type TreeNode = { path: string; mtime: number } & (
  | { type: 'directory' }
  | { type: 'link'; target: string }
  | { type: 'file'; size: number; executable: boolean; onDisk: string; fingerprint: string }
);

/**
 * Lists a folder recursively, each folder before its content, names in byte order.
 *
 * @throws InstallerError, naming the path, for unsupported file types and unreadable files
 */
export async function readTree(folder: string): Promise<TreeNode[]> {
  const nodes: TreeNode[] = [];
  await readNode(folder, '', nodes);
  return nodes;
}

async function readNode(onDisk: string, path: string, nodes: TreeNode[]): Promise<void> {
  const stats = await withPathInError(onDisk, lstat(onDisk, { bigint: true }));
  const facts = { path, mtime: wholeSeconds(onDisk, stats) };
  if (stats.isDirectory()) {
    nodes.push({ ...facts, type: 'directory' });
    for (const name of await listNames(onDisk))
      await readNode(`${onDisk}/${name}`, path === '' ? name : `${path}/${name}`, nodes);
  } else if (stats.isSymbolicLink()) {
    const target = await withPathInError(onDisk, readlink(onDisk, { encoding: 'buffer' }));
    nodes.push({ ...facts, type: 'link', target: decodeName(target, `${onDisk}: its target`) });
  } else if (stats.isFile()) nodes.push({ ...facts, ...(await describeFile(onDisk, stats)) });
  else
    throw new InstallerError(
      `${onDisk}: ${kindOf(stats)}: a package can contain only files, folders and links`,
    );
}

async function describeFile(onDisk: string, stats: BigIntStats) {
  // Checked here rather than minutes later, when the file is packed.
  await withPathInError(onDisk, access(onDisk, constants.R_OK));
  const executable = (stats.mode & 0o100n) !== 0n;
  const size = Number(stats.size);
  return { type: 'file' as const, size, executable, onDisk, fingerprint: fingerprintOf(stats) };
}

async function listNames(folder: string): Promise<string[]> {
  const names = await withPathInError(folder, readdir(folder, { encoding: 'buffer' }));
  return names.map((name) => decodeName(name, `${folder}: the name`)).sort(compareBytes);
}

async function withPathInError<T>(path: string, answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    throw unreadableError(path, error);
  });
}

const LAST_SECOND = 0xffffffffn;

function wholeSeconds(path: string, { mtimeNs }: BigIntStats): number {
  const seconds = mtimeNs / 1_000_000_000n;
  if (mtimeNs >= 0n && seconds <= LAST_SECOND) return Number(seconds);
  throw new InstallerError(`${path}: modification time before 1970 or after 2106`);
}
