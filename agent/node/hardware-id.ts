import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { readIfThere, writeFileAtomic } from './atomic-file.ts';
import type { Platform } from './platform/index.ts';
import { platform } from './platform/index.ts';
import { stateEntries } from './state-folder.ts';

/**
 * The id this machine enrolls with: the given one, else the system's, else a random one that is
 * kept in the state folder.
 */
export async function findHardwareId(
  stateDir: string,
  given: string | null,
  system: Pick<Platform, 'readHardwareId'> = platform,
): Promise<string> {
  const known = given ?? (await system.readHardwareId());
  if (known !== null) return known;
  const path = join(stateDir, stateEntries.hardwareId);
  const kept = readIfThere(path)?.trim();
  if (kept && /^[\w-]{8,128}$/.test(kept)) return kept;
  const fresh = randomUUID();
  writeFileAtomic(path, fresh);
  return fresh;
}
