import { join } from 'node:path';
import { buildPackage, type PackageSigning } from '#installer/build.ts';
import type { ProgressReporter } from '#installer/installer-error.ts';
import { readSigningOptions } from '#installer/signing/signing-options.ts';
import type { PackagingConfig } from '../config.ts';
import type { Credentials } from '../credentials.ts';
import { version } from '../electron-app.ts';
import { PackagingError } from '../packaging-error.ts';

/**
 * Reads the keys and certificates that sign and notarize the package, so that errors in them are
 * reported before anything is built.
 *
 * @throws PackagingError or InstallerError
 */
export async function readPackageSigning(
  credentials: Credentials,
  out: string,
): Promise<PackageSigning> {
  const { teamId, ...signing } = await readSigningOptions({
    out,
    identity: credentials.INSTALLER_IDENTITY,
    'identity-password-env': 'INSTALLER_IDENTITY_PASSWORD',
    'notary-key': credentials.NOTARY_KEY,
    'notary-key-id': credentials.NOTARY_KEY_ID,
    'notary-issuer': credentials.NOTARY_ISSUER,
  });
  if (teamId !== credentials.APPLE_TEAM_ID)
    throw new PackagingError(
      `INSTALLER_IDENTITY: the certificate is of team ${teamId ?? '-'}, APPLE_TEAM_ID is ${credentials.APPLE_TEAM_ID}`,
    );
  return signing;
}

export const packageName = (appName: string): string => `${appName}-Setup-${version}.pkg`;

/** Makes the installer package of the app. Returns its path. */
export async function makePackage(
  app: string,
  output: string,
  {
    config,
    signing,
    report,
  }: { config: PackagingConfig; signing: PackageSigning; report: ProgressReporter },
): Promise<string> {
  const out = join(output, packageName(config.appName));
  const { appName, bundleId } = config;
  await buildPackage({ app, out, product: { appName, bundleId, version }, report, ...signing });
  return out;
}
