import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

const OWNER_ONLY = 0o600;

/**
 * Makes a file that only its owner may read, and its folder. A file that is there stays as it is:
 * of two processes that start together, one makes it and both find the same, whole.
 */
export function createOnce(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (existsSync(file)) return;
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, content, { flag: 'wx', mode: OWNER_ONLY, flush: true });
    // Unlike a rename, a link never replaces what another process made meanwhile.
    linkSync(draft, file);
    syncFolder(dirname(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Takes from everybody but the owner what an earlier start, or a restored copy, allowed. */
export function keepPrivate(files: readonly string[]): void {
  for (const file of files) if (existsSync(file)) chmodSync(file, OWNER_ONLY);
}

/** Without it a loss of power may take the name of a file whose content was saved. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
