import { InstallerError } from '../installer-error.ts';

/** Identity of the packaged product. */
export interface Product {
  appName: string;
  bundleId: string;
  /** `X.Y.Z` */
  version: string;
}

const BUNDLE_ID = /^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/;
const VERSION = /^\d{1,9}(\.\d{1,9}){0,3}$/;
// Valid as a file name and title on a Mac; `:` is the stored form of the Finder's `/`.
const APP_NAME = /^[^\p{Cc}/:.][^\p{Cc}/:]{0,99}$/u;

/** Throws InstallerError for values that are invalid in paths, scripts and file names. */
export function checkProduct({ appName, bundleId, version }: Product): void {
  if (!BUNDLE_ID.test(bundleId) || bundleId.length > 155)
    throw new InstallerError(`bundle id ${bundleId}: expected one like com.example.agent`);
  if (!VERSION.test(version))
    throw new InstallerError(`version ${version}: expected numbers, as in 1.2.3`);
  if (!APP_NAME.test(appName))
    throw new InstallerError(`app name ${appName}: expected a name for a file and a title`);
}
