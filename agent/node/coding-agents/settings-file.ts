import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  fstatSync,
  openSync,
  lstatSync,
  readFileSync,
  realpathSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf, removeIfExists, syncFolder } from '../state/atomic-file.ts';

/** A settings file as it was read. Administrators and their programs write it, too. */
export interface SettingsFile {
  path: string;
  /** null: there is no file. */
  text: string | null;
  /** The file behind symbolic links; `path` if there is none. */
  target: string;
  stats: Stats | null;
}

/** Readable by the tools of all users. */
const NEW_FILE_MODE = 0o644;

/** Reads a settings file. Throws if the path is anything but a regular file or a link to one. */
export function readSettingsFile(path: string): SettingsFile {
  const target = resolveTarget(path);
  if (target === null) return { path, text: null, target: path, stats: null };
  // A named pipe must not block the agent.
  const file = openSync(target, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error('is not a regular file');
    return { path, text: readFileSync(file, 'utf8'), target, stats };
  } finally {
    closeSync(file);
  }
}

/**
 * Replaces the file atomically; a file that existed keeps its owner, its mode and the links to it.
 * Throws if another program has changed it since it was read, so that no change of others is lost.
 */
export function replaceSettingsFile({ path, target, stats }: SettingsFile, text: string): void {
  const folder = dirname(target);
  if (target !== path) requireOwnFolder(folder);
  const temporary = `${target}.${randomUUID()}.new`;
  const file = openSync(temporary, 'wx', NEW_FILE_MODE);
  try {
    try {
      writeFileSync(file, text);
      const owner = fstatSync(file);
      if (stats && (stats.uid !== owner.uid || stats.gid !== owner.gid))
        fchownSync(file, stats.uid, stats.gid);
      // Sets the mode regardless of this process's umask, and after the owner, which resets bits.
      fchmodSync(file, stats ? stats.mode & 0o7777 : NEW_FILE_MODE);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    requireUnchanged(target, stats);
    renameSync(temporary, target);
  } catch (error) {
    removeIfExists(temporary);
    throw error;
  }
  syncFolder(folder);
}

/** Removes the file and the link to it. Throws if the file has been changed since it was read. */
export function removeSettingsFile({ path, target, stats }: SettingsFile): void {
  if (stats === null) return;
  requireUnchanged(target, stats);
  unlinkSync(target);
  if (target !== path) unlinkSync(path);
}

/**
 * Whether another program may be writing the file: it was changed less than `settleMs` ago. Many
 * programs empty a file before they write it, and their text is lost if the file is replaced then.
 */
export function mayBeInProgress({ stats }: SettingsFile, settleMs: number, now: number): boolean {
  // A time in the far future is one of a clock that was set back.
  return stats !== null && Math.abs(now - stats.mtimeMs) < settleMs;
}

function resolveTarget(path: string): string | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  if (!stats.isSymbolicLink()) return path;
  try {
    return realpathSync(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    throw new Error('is a link to a file that does not exist', { cause: error });
  }
}

/** In a folder of another user, a file can be exchanged for a link while root replaces it. */
function requireOwnFolder(folder: string): void {
  if (statSync(folder).uid !== process.geteuid?.())
    throw new Error('is a link into a folder of another user');
}

function requireUnchanged(target: string, before: Stats | null): void {
  const present = statSync(target, { throwIfNoEntry: false });
  const isSame =
    present?.ino === before?.ino &&
    present?.size === before?.size &&
    present?.mtimeMs === before?.mtimeMs;
  if (!isSame) throw new Error('was changed while it was being replaced; trying again');
}
