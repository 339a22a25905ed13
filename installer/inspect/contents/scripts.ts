import { InstallerError } from '../../installer-error.ts';
import type { HeapReader } from '../archive/content.ts';
import type { EntryData } from '../archive/entries.ts';
import { type CpioEntry, readCpio, checkPath } from './cpio.ts';
import { gunzip } from './payload.ts';

/** A limit in bytes for the scripts of a component, which no Bom lists. */
const SCRIPTS_LIMIT = 256 * 1024 * 1024;
const EXECUTABLE = 0o111;

/**
 * Unpacks the scripts in memory.
 *
 * @throws InstallerError if they are damaged
 */
export async function readScripts(heap: HeapReader, data: EntryData): Promise<CpioEntry[]> {
  let total = 0;
  const accept = ({ path, size }: { path: string; size: number }) => {
    total += size;
    if (total > SCRIPTS_LIMIT)
      throw new InstallerError(
        `${path}: all scripts together have more than ${SCRIPTS_LIMIT} bytes`,
      );
    return null;
  };
  return Array.fromAsync(readCpio(gunzip(heap, data), accept));
}

/** The reasons why the stated scripts could not run. */
export function checkScripts(stated: readonly string[], scripts: readonly CpioEntry[]): string[] {
  return stated.flatMap((path) => {
    const script = scripts.find((entry) => entry.path === checkPath(path));
    if (!script) return [`${path} is named in PackageInfo, but missing`];
    if (script.kind !== 'file') return [`${path} is not a file`];
    return (script.mode & EXECUTABLE) === 0 ? [`${path} is not executable`] : [];
  });
}
