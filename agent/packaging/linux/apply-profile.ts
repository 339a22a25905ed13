import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readAgentConfig } from '#agent/config.ts';
import { replaceSharedFile } from '#agent/node/atomic-file.ts';
import { errorLine, systemReason } from '#profile-builder/error-line.ts';
import { materializeManagedConfig, trustedRoots } from '#profile-builder/materialize.ts';
import { writeSecretFile } from '#profile-builder/write-secret-file.ts';

/**
 * Takes a configuration profile over on Linux, where no system does it: the managed configuration, a
 * secret, and beside it the roots to trust. An agent that runs notices the former at once, the latter
 * when it starts.
 */
async function applyProfile([file, ...more]: string[]): Promise<void> {
  if (file === undefined || more.length > 0)
    throw new Error('usage: apply-profile FILE.mobileconfig');
  const read = readAgentConfig();
  if ('error' in read) throw new Error(read.error);
  const place = read.config.managedPreferences;
  const profile = readProfile(file);
  const { plist } = materializeManagedConfig(profile);
  mkdirSync(dirname(place), { recursive: true });
  replaceSharedFile(join(dirname(place), 'roots.pem'), trustedRoots(profile));
  await writeSecretFile(place, plist);
  process.stdout.write(
    `${place} written from ${file}; restart the service for the profile's roots to be trusted\n`,
  );
}

function readProfile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${file} cannot be read: ${systemReason(error as Error)}`, { cause: error });
  }
}

try {
  await applyProfile(process.argv.slice(3));
} catch (error) {
  process.stderr.write(`${errorLine(error as Error)}\n`);
  process.exitCode = 1;
}
