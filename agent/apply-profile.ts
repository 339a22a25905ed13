import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorLine, systemReason } from '#profile-builder/terminal-output.ts';
import { materializeManagedConfig, trustedRoots } from '#profile-builder/materialize.ts';
import { writeSecretFile } from '#profile-builder/write-secret-file.ts';
import type { AgentConfig } from './config.ts';
import { writeSharedFileAtomic } from './node/state/atomic-file.ts';

/**
 * Applies a configuration profile on Linux, which has no system service for that. Stores the managed
 * configuration, which is a secret, and the roots to trust. A running agent of the package picks up
 * both. Returns the exit code.
 */
export async function applyProfile(config: AgentConfig, file: string): Promise<number> {
  try {
    const place = config.managedPreferences;
    const { plist, roots } = readProfile(file);
    mkdirSync(dirname(place), { recursive: true });
    writeSharedFileAtomic(join(dirname(place), 'roots.pem'), roots);
    await writeSecretFile(place, plist);
    process.stdout.write(`${place} written from ${file}; the service reads it within a minute\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`${errorLine(error as Error)}\n`);
    return 1;
  }
}

function readProfile(file: string): { plist: Buffer; roots: string } {
  const profile = readText(file);
  try {
    return { plist: materializeManagedConfig(profile).plist, roots: trustedRoots(profile) };
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${file} cannot be read: ${systemReason(error as Error)}`, { cause: error });
  }
}
