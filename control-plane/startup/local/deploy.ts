import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { materializeManagedConfig, trustedRoots } from '#profile-builder/materialize.ts';
import type { Config } from '../../config.ts';
import type { ControlPlane } from '../../start.ts';
import type { LocalFiles } from './config.ts';

/**
 * Does for this machine what device management does for a fleet: fetches the tenant's profile and
 * writes the managed preferences that the operating system would derive. Later starts skip it.
 *
 * @returns why the profile cannot be deployed to this machine; null on success
 */
export async function deployProfile(
  controlPlane: Pick<ControlPlane, 'urls' | 'firstCredentials'>,
  config: Config,
  files: LocalFiles,
): Promise<string | null> {
  if (existsSync(files.managedPreferences)) return null;
  const apiKey = controlPlane.firstCredentials?.apiKey ?? config.bootstrap.apiKey;
  if (!apiKey)
    return `${files.managedPreferences} is missing, and only the first API key can recreate it: set BOOTSTRAP_API_KEY to that key, or remove ${config.dataDir} to start over`;
  const client = createClient(contract, {
    baseUrl: controlPlane.urls.public,
    headers: () => ({ 'X-Svc-Key': apiKey }),
  });
  const profile = await client.deployment.getMdmProfile({ query: {} });
  // The roots come first: an agent that finds its preferences must already trust the service.
  writeSecret(files.profile, profile);
  writeSecret(files.trustedRoots, trustedRoots(profile));
  writeSecret(files.managedPreferences, materializeManagedConfig(profile).plist);
  return null;
}

function writeSecret(file: string, content: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, content, { mode: 0o600 });
}
