import { accessSync, constants, readdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SpoolFacts, StateFacts } from '#agent/core/doctor/state-folder.ts';
import { errnoOf } from '../state/atomic-file.ts';
import { stateEntries } from '../state/state-folder.ts';

/** Reads the state of the state folder. Changes nothing in it. */
export function readStateFolder(dir: string, dropped: number | null): StateFacts {
  const folder = folderStateOf(dir);
  return {
    dir,
    folder,
    owner: ownerOf(dir),
    freeBytes: freeBytesOf(dir),
    spools: folder === 'there' || folder === 'read-only' ? readSpools(dir) : null,
    dropped,
    now: Date.now(),
  };
}

function folderStateOf(dir: string): StateFacts['folder'] {
  const stat = statSync(dir, { throwIfNoEntry: false });
  if (!stat) return 'missing';
  if (!stat.isDirectory()) return 'no folder';
  if (!hasAccess(dir, constants.R_OK | constants.X_OK)) return 'private';
  return hasAccess(dir, constants.W_OK) ? 'there' : 'read-only';
}

function hasAccess(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

function ownerOf(dir: string): string | null {
  const uid = statSync(dir, { throwIfNoEntry: false })?.uid;
  if (uid === undefined) return null;
  try {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((one) => one.split(':')[2] === String(uid));
    return line?.split(':')[0] ?? `user ${uid}`;
  } catch {
    return `user ${uid}`;
  }
}

/** Returns the free bytes of the disk that the folder is on, or will be on. */
function freeBytesOf(dir: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(dir);
    return bavail * bsize;
  } catch (error) {
    const isMissing = errnoOf(error) === 'ENOENT' && dirname(dir) !== dir;
    return isMissing ? freeBytesOf(dirname(dir)) : null;
  }
}

/** Reads the spools of flows and of captures. */
function readSpools(dir: string): SpoolFacts {
  const files = [stateEntries.flowSpool, stateEntries.captureSpool].flatMap((name) =>
    filesIn(join(dir, name)),
  );
  const waiting = files.filter(({ path }) => path.endsWith('.ndjson'));
  return {
    files: waiting.length,
    bytes: waiting.reduce((sum, { bytes }) => sum + bytes, 0),
    oldest: waiting.length > 0 ? Math.min(...waiting.map(({ at }) => at)) : null,
    rejected: files.filter(({ path }) => path.endsWith('.rejected')).length,
  };
}

function filesIn(folder: string): { path: string; bytes: number; at: number }[] {
  try {
    return readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      // The agent may have sent the file meanwhile.
      const stat = statSync(path, { throwIfNoEntry: false });
      return stat?.isFile() ? [{ path, bytes: stat.size, at: stat.mtimeMs }] : [];
    });
  } catch {
    return [];
  }
}
