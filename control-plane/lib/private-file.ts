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
 * Creates a file that only its owner can read, and its folder. An existing file is left unchanged,
 * so that if two processes start at once, one creates it and both read the same complete content.
 */
export function createOnce(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (existsSync(file)) return;
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, content, { flag: 'wx', mode: OWNER_ONLY, flush: true });
    // Unlike a rename, a link never replaces a file that another process has created in the
    // meantime.
    linkSync(draft, file);
    syncFolder(dirname(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Removes access for everyone but the owner, which an earlier start or a restored copy may have
 * granted.
 */
export function restrictToOwner(files: readonly string[]): void {
  for (const file of files) if (existsSync(file)) chmodSync(file, OWNER_ONLY);
}

/**
 * Syncs a folder. Otherwise a power failure could lose the directory entry of a file whose content
 * was synced.
 */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
