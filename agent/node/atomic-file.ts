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

/** Replaces a file in one step, private to this user: after a crash it is the old or the new. */
export const writeFileAtomic = (path: string, text: string): void => replace(path, text, 0o600);

/** The same, for everybody to read. */
export const replaceSharedFile = (path: string, text: string): void => replace(path, text, 0o644);

function replace(path: string, text: string, mode: number): void {
  const temporary = `${path}.new`;
  const file = openSync(temporary, 'w', mode);
  try {
    writeFileSync(file, text);
    // Whatever this process keeps from others (umask).
    fchmodSync(file, mode);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  syncFolder(dirname(path));
}

/** The text of a file, or null where there is no such file. */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}

export function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

/** Out of the way but kept, for whoever wants to know what happened. */
export function setAside(path: string): void {
  renameSync(path, `${path}.corrupt`);
}

/** The code of a system error, like `ENOENT`. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** Makes what was renamed or removed in a folder durable. */
export function syncFolder(dir: string): void {
  const folder = openSync(dir, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
