import { join } from 'node:path';
import { requireCredentials, requireElectron } from '../config.ts';
import { electronVersion, stageApp, version } from '../electron-app.ts';
import { PackagingError } from '../packaging-error.ts';
import { type Release, withWorkFolder } from '../release.ts';
import { writeElectronForMac } from '../stand-in/electron-for-mac.ts';
import { writeMacParts } from '../stand-in/mac-parts.ts';
import { makePackage, packageName, readPackageSigning } from './make-package.ts';
import { packMacApp } from './pack.ts';
import { type MacParts, partsIn, requireParts } from './parts.ts';
import { EXAMPLE_TEAM_ID } from '#profile-builder/config.ts';
import { run } from '../run.ts';
import type { SigningIds } from './entitlements.ts';

/** Builds the app and its package, signed, notarized and stapled. Returns the path of the package. */
export async function releaseForMac({ config, output, report }: Release): Promise<string> {
  if (process.platform !== 'darwin')
    throw new PackagingError(
      'the macOS app can be built only on a Mac; `npm run app -- --linux` builds the packages for Linux, and `npm run app -- --stand-in` shows on any computer how the macOS app is packaged',
    );
  requireElectron(config, 'Electron.app');
  const credentials = requireCredentials();
  const signing = await readPackageSigning(credentials, packageName(config.appName));
  const ids = { teamId: credentials.APPLE_TEAM_ID, bundleId: config.bundleId };
  return withWorkFolder(output, async (work) => {
    report.log('building the system extensions');
    const parts = await buildParts(ids, version);
    report.log('building the app');
    const staged = await stageApp(work, config.appName);
    const { appName, electronFolder } = config;
    const packing = { staged, appName, ids, parts, output, work, electronFolder, credentials };
    const app = await packMacApp({ ...packing, universal: electronFolder === null });
    return makePackage(app, output, { config, signing, report });
  });
}

/**
 * Builds a package with fake programs instead of Electron and the output of Xcode. All files are at the
 * paths of a release, but nothing is signed and the programs cannot run. Returns the package's path.
 */
export function standInForMac({ config, output, report }: Release): Promise<string> {
  return withWorkFolder(output, async (work) => {
    const ids = { teamId: config.teamId ?? EXAMPLE_TEAM_ID, bundleId: config.bundleId };
    const electronFolder = join(work, 'electron');
    writeElectronForMac(electronFolder, electronVersion);
    const parts = partsIn(join(work, 'parts'), ids.bundleId);
    writeMacParts(parts, ids, version);
    report.log('building the app');
    const staged = await stageApp(work, config.appName);
    const { appName } = config;
    const packing = {
      staged,
      appName,
      ids,
      parts,
      output,
      work,
      electronFolder,
      credentials: null,
    };
    const app = await packMacApp({ ...packing, universal: false });
    return makePackage(app, output, { config, signing: {}, report });
  });
}

const folder = join(import.meta.dirname, '../../macos');

/**
 * Builds the extensions and the program that activates them for both processors, unsigned: they are
 * signed in the app, with their profiles.
 *
 * @throws PackagingError with the error of xcodebuild
 */
async function buildParts(ids: SigningIds, version: string): Promise<MacParts> {
  await run('env', buildCommand(ids, version), { cwd: folder });
  const parts = partsIn(join(folder, 'build/Release'), ids.bundleId);
  requireParts(parts);
  return parts;
}

/** The variables of agent/macos/build.sh, and the settings that it passes to xcodebuild. */
const buildCommand = ({ teamId, bundleId }: SigningIds, version: string): string[] => [
  `APP_BUNDLE_ID=${bundleId}`,
  `APPLE_TEAM_ID=${teamId}`,
  `APP_VERSION=${version}`,
  './build.sh',
  'ONLY_ACTIVE_ARCH=NO',
  'CODE_SIGNING_ALLOWED=NO',
  // The prefix of service names in the extensions, which Xcode knows only if it signs them.
  `TeamIdentifierPrefix=${teamId}.`,
];
