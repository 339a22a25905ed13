import { PackagingError } from '../packaging-error.ts';

/** The names and paths of the product on Linux. */
export interface LinuxNames {
  appName: string;
  bundleId: string;
  /** The name of the Debian package, the service and the command. */
  packageName: string;
  /** The folder of the program. */
  programs: string;
  command: string;
  unit: string;
  /** The folder of the settings that administrators write. */
  settings: string;
  managedPreferences: string;
  trustedRoots: string;
  /** The state folder of an agent that runs as root, as in `agent/node/platform.ts`. */
  state: string;
}

/**
 * Derives the names from the name and the bundle id of the product.
 *
 * @throws PackagingError if the product's name has too few ASCII letters and digits for a file name
 */
export function linuxNames(appName: string, bundleId: string): LinuxNames {
  const short = appName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  if (!/^[a-z0-9][a-z0-9-]+$/.test(short))
    throw new PackagingError(`APP_NAME: expected two letters or digits of ASCII in ${appName}`);
  const packageName = `${short}-agent`;
  const settings = `/etc/${short}`;
  return {
    appName,
    bundleId,
    packageName,
    programs: `/opt/${short}`,
    command: `/usr/bin/${packageName}`,
    unit: `/usr/lib/systemd/system/${packageName}.service`,
    settings,
    managedPreferences: `${settings}/managed.plist`,
    trustedRoots: `${settings}/roots.pem`,
    state: `/var/lib/${bundleId}`,
  };
}
