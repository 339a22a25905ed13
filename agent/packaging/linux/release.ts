import { PackagingError } from '../packaging-error.ts';
import { type Release, withWorkFolder } from '../release.ts';
import { makeAppImage } from './app-image.ts';
import { makeDeb } from './deb.ts';
import { linuxNames } from './names.ts';

/**
 * The package for managed computers, and the app with its window for a single user. A stand-in needs
 * no Electron: only that of the AppImage is made up, the package is what is installed.
 */
export async function packagesForLinux(release: Release, isStandIn: boolean): Promise<string[]> {
  const { config, output, report } = release;
  if (process.platform !== 'linux')
    throw new PackagingError(
      'packages for Linux are made on Linux: the Node of this computer goes into them',
    );
  const names = linuxNames(config.appName, config.bundleId);
  return withWorkFolder(output, async (work) => {
    report.say('making the deb');
    const compression = isStandIn ? 'none' : 'xz';
    const deb = await makeDeb({ names, output, work, compression });
    report.say('making the AppImage');
    return [deb, await makeAppImage({ release, names, work, isStandIn })];
  });
}
