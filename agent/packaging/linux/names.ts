import { PackagingError } from '../packaging-error.ts';

/** What the product is called where Linux wants short names, and where its things lie. */
export interface LinuxNames {
  appName: string;
  bundleId: string;
  /** The package of Debian, the service and the command. */
  packageName: string;
  /** The program and all that it needs. */
  programs: string;
  command: string;
  unit: string;
  /** What IT configures. */
  settings: string;
  managedPreferences: string;
  trustedRoots: string;
  /** Where the agent keeps its state when it is root: agent/node/platform.ts. */
  state: string;
}

/** @throws PackagingError for a product whose name leaves nothing for a file's */
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
