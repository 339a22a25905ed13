import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type ProductConfig, readProductConfig } from '#profile-builder/config.ts';
import { type Credentials, type Environment, readCredentials } from './credentials.ts';
import { PackagingError } from './packaging-error.ts';

export interface PackagingConfig extends ProductConfig {
  /** A folder with an unpacked Electron; null: electron-builder downloads it. */
  electronFolder: string | null;
}

/**
 * Reads the settings of all packages.
 *
 * @throws PackagingError for an invalid name or bundle id
 */
export function readPackagingConfig(env: Environment = process.env): PackagingConfig {
  const product = readProductConfig(env);
  // The names of files and of the Debian package derive from it.
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u.test(product.appName))
    throw new PackagingError('APP_NAME: expected letters, digits, blanks, dots, "_" and "-"');
  if (!/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(product.bundleId))
    throw new PackagingError('APP_BUNDLE_ID: expected a bundle id like com.example.agent');
  return { ...product, electronFolder: env['ELECTRON_OVERRIDE_DIST_PATH'] || null };
}

/**
 * Returns the credentials from the environment.
 *
 * @throws PackagingError that names the first missing variable and its purpose
 */
export function requireCredentials(env: Environment = process.env): Credentials {
  const read = readCredentials(env, isFile);
  if ('error' in read) throw new PackagingError(read.error);
  return read.credentials;
}

const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/**
 * Checks the folder of `ELECTRON_OVERRIDE_DIST_PATH` before anything is built, if it is set.
 *
 * @throws PackagingError if it does not contain this program or bundle of Electron
 */
export function requireElectron(
  { electronFolder }: Pick<PackagingConfig, 'electronFolder'>,
  name: 'electron' | 'Electron.app',
): void {
  if (electronFolder === null || existsSync(join(electronFolder, name))) return;
  throw new PackagingError(
    `ELECTRON_OVERRIDE_DIST_PATH: expected the folder of an unpacked Electron, found no ${name} in ${electronFolder}`,
  );
}

/** Makes electron-builder use the AppImage tools in a folder instead of downloading them. */
export function useAppImageTools(folder: string, env: NodeJS.ProcessEnv = process.env): void {
  env['APPIMAGE_TOOLS_PATH'] = folder;
}
