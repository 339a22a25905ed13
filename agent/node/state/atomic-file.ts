import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/**
 * Replaces a file atomically, readable by this user only. After a crash it has either the old or
 * the new content.
 */
export const writeFileAtomic = (path: string, text: string): void => replace(path, text, 0o600);

/** Replaces a file atomically, readable by all users. */
export const writeSharedFileAtomic = (path: string, text: string): void =>
  replace(path, text, 0o644);

function replace(path: string, text: string, mode: number): void {
  const temporary = `${path}.new`;
  const file = openSync(temporary, 'w', mode);
  try {
    writeFileSync(file, text);
    // Sets the mode regardless of this process's umask.
    fchmodSync(file, mode);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  syncFolder(dirname(path));
}

/** Returns the text of a file, or null if it does not exist. */
export function readIfExists(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}

export function removeIfExists(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

/** Renames a file but keeps it for later diagnosis. */
export function quarantineFile(path: string): void {
  renameSync(path, `${path}.corrupt`);
}

/** Returns the code of a system error, such as `ENOENT`. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** Makes renames and removals in a folder durable. */
export function syncFolder(dir: string): void {
  const handle = openSync(dir, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
