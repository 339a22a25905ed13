import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlistValue } from 'plist';
import { parsePlist } from '../configuration/parse-plist.ts';
import { tryOrUndefined } from '../try-or-undefined.ts';

/** The file of a preference domain that applies to a user. */
export interface DomainFile {
  path: string;
  preferences: PlistValue;
}

/**
 * Reads the managed preferences of a domain: the first file that `isUsed` accepts. Those for the
 * user take precedence over those for the computer. Missing and invalid files are the same for the
 * tools.
 */
export function readDomain(
  { folder, user }: { folder: string; user: string },
  domain: string,
  isUsed: (preferences: PlistValue) => boolean,
): DomainFile | undefined {
  for (const parent of [join(folder, user), folder]) {
    const path = join(parent, `${domain}.plist`);
    const preferences = tryOrUndefined(() => parsePlist(readFileSync(path)));
    if (preferences !== undefined && isUsed(preferences)) return { path, preferences };
  }
  return undefined;
}

/** Accepts files with this key: macOS takes each key of a domain from the first file that has it. */
export const hasKey =
  (key: string) =>
  (preferences: PlistValue): boolean =>
    Object.hasOwn(Object(preferences) as object, key);
