import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ManagedFacts } from '#agent/core/doctor/managed-preferences.ts';
import { readManagedPreferences } from '../configuration/managed-preferences.ts';

export async function readManaged(path: string, os: string): Promise<ManagedFacts> {
  const read = await readManagedPreferences(path);
  const reading = 'error' in read ? { error: read.error, kind: kindOf(read) } : read;
  return { os, path, reading, userLevel: userLevelFiles(path) };
}

type Kind = Extract<ManagedFacts['reading'], { error: string }>['kind'];

function kindOf({ error, missing }: { error: string; missing: boolean }): Kind {
  if (missing) return 'missing';
  if (/: cannot be read: \w+$/.test(error)) return 'unreadable';
  return /: not a well-formed /.test(error) ? 'malformed' : 'invalid';
}

/**
 * Returns files for single users: macOS stores these in a folder with the user's name, next to the
 * device's file.
 */
function userLevelFiles(path: string): string[] {
  try {
    return readdirSync(dirname(path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(dirname(path), name, basename(path)))
      .filter((file) => existsSync(file));
  } catch {
    return [];
  }
}
