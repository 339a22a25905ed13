import { InstallerError } from '../../installer-error.ts';
import type { HeapReader } from '../archive/content.ts';
import type { EntryData } from '../archive/entries.ts';
import { type CpioEntry, readCpio } from './cpio.ts';
import { gunzip } from './payload.ts';
import { checkPath } from './paths.ts';

/** No Bom bounds the scripts of a component, so this does. Bytes. */
const scriptsLimit = 256 * 1024 * 1024;
const executable = 0o111;

/** Unpacks the scripts without writing them. Throws InstallerError where they are damaged. */
export async function readScripts(heap: HeapReader, data: EntryData): Promise<CpioEntry[]> {
  let total = 0;
  const accept = ({ path, size }: { path: string; size: number }) => {
    total += size;
    if (total > scriptsLimit)
      throw new InstallerError(`${path}: more than ${scriptsLimit} bytes in all`);
    return null;
  };
  return Array.fromAsync(readCpio(gunzip(heap, data), accept));
}

/** What hinders the stated scripts from running. */
export function checkScripts(stated: readonly string[], found: readonly CpioEntry[]): string[] {
  return stated.flatMap((path) => {
    const script = found.find((entry) => entry.path === checkPath(path));
    if (!script) return [`${path} is stated in PackageInfo and missing`];
    if (script.kind !== 'file') return [`${path} is not a file`];
    return (script.mode & executable) === 0 ? [`${path} is not executable`] : [];
  });
}
