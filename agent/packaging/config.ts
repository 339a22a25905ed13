import { statSync } from 'node:fs';
import { type ProductConfig, readProductConfig } from '#profile-builder/config.ts';
import { type Credentials, type Environment, readCredentials } from './credentials.ts';
import { PackagingError } from './packaging-error.ts';

export interface PackagingConfig extends ProductConfig {
  /** A folder with an unpacked Electron, instead of the one that electron-builder downloads. */
  electronFolder: string | null;
}

/**
 * What every kind of package is made with.
 *
 * @throws PackagingError for a name that cannot be one
 */
export function readPackagingConfig(env: Environment = process.env): PackagingConfig {
  const product = readProductConfig(env);
  // Names of files and of a package of Debian are made of it.
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u.test(product.appName))
    throw new PackagingError('APP_NAME: expected letters, digits, blanks, dots, "_" and "-"');
  if (!/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(product.bundleId))
    throw new PackagingError('APP_BUNDLE_ID: expected a bundle id like com.example.agent');
  return { ...product, electronFolder: env['ELECTRON_OVERRIDE_DIST_PATH'] || null };
}

/** @throws PackagingError, naming the first variable that is missing and what it is for */
export function requireCredentials(env: Environment = process.env): Credentials {
  const read = readCredentials(env, isFile);
  if ('error' in read) throw new PackagingError(read.error);
  return read.credentials;
}

const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** electron-builder takes its tools for AppImages from there, instead of downloading them. */
export function useAppImageTools(folder: string, env: NodeJS.ProcessEnv = process.env): void {
  env['APPIMAGE_TOOLS_PATH'] = folder;
}
