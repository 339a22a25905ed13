import { requireElectron } from '../config.ts';
import { PackagingError } from '../packaging-error.ts';
import { type Release, withWorkFolder } from '../release.ts';
import { makeAppImage } from './app-image.ts';
import { makeDeb } from './deb.ts';
import { linuxNames } from './names.ts';

/**
 * Builds the Debian package for managed computers and the AppImage for a single user. Returns their
 * paths. In a stand-in, a fake Electron replaces that of the AppImage; the Debian package is complete.
 */
export async function releaseForLinux(release: Release, isStandIn: boolean): Promise<string[]> {
  const { config, output, report } = release;
  if (process.platform !== 'linux')
    throw new PackagingError(
      'Linux packages can be built only on Linux, because they contain the Node of this computer',
    );
  const names = linuxNames(config.appName, config.bundleId);
  if (!isStandIn) requireElectron(config, 'electron');
  return withWorkFolder(output, async (work) => {
    // Made first: its downloads can fail, and then no deb without an AppImage is left behind.
    report.log('making the AppImage');
    const appImage = await makeAppImage({ release, names, work, isStandIn });
    report.log('making the deb');
    const compression = isStandIn ? 'none' : 'xz';
    return [await makeDeb({ names, output, work, compression }), appImage];
  });
}
