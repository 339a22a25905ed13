import { join } from 'node:path';
import { requireCredentials } from '../config.ts';
import { electronVersion, stageApp, version } from '../electron-app.ts';
import { PackagingError } from '../packaging-error.ts';
import { type Release, withWorkFolder } from '../release.ts';
import { writeElectronForMac } from '../stand-in/electron-for-mac.ts';
import { writeMacParts } from '../stand-in/mac-parts.ts';
import { buildParts } from './build-parts.ts';
import { makePackage, packageName, readFinish } from './make-package.ts';
import { packMacApp } from './pack.ts';
import { partsIn } from './parts.ts';

/** The app and its package, signed, notarized and stapled. Answers the package. */
export async function releaseForMac({ config, output, report }: Release): Promise<string> {
  const credentials = requireCredentials();
  if (process.platform !== 'darwin')
    throw new PackagingError(
      'an app for Macs is signed on a Mac; `npm run app -- --stand-in` shows on any computer how it is packed',
    );
  const finish = await readFinish(credentials, packageName(config.appName));
  const ids = { teamId: credentials.APPLE_TEAM_ID, bundleId: config.bundleId };
  return withWorkFolder(output, async (work) => {
    report.say('building the system extensions');
    const parts = await buildParts(ids, version);
    report.say('building the app');
    const staged = await stageApp(work, config.appName);
    const { appName, electronFolder } = config;
    const packing = { staged, appName, ids, parts, output, work, electronFolder, credentials };
    const app = await packMacApp({ ...packing, universal: electronFolder === null });
    return makePackage(app, output, { config, finish, report });
  });
}

/** No team signs the stand-in. */
const EXAMPLE_TEAM_ID = 'GATEHOUSE1';

/**
 * The same way with made-up programs in the place of Electron and of what Xcode builds: every file
 * is where it is in a release, nothing is signed, and nothing can be started.
 */
export function standInForMac({ config, output, report }: Release): Promise<string> {
  return withWorkFolder(output, async (work) => {
    const ids = { teamId: config.teamId ?? EXAMPLE_TEAM_ID, bundleId: config.bundleId };
    const electronFolder = join(work, 'electron');
    writeElectronForMac(electronFolder, electronVersion);
    const parts = partsIn(join(work, 'parts'), ids.bundleId);
    writeMacParts(parts, version);
    report.say('building the app');
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
    return makePackage(app, output, { config, finish: {}, report });
  });
}
