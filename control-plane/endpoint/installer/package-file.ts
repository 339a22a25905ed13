import type { Context } from '../../context.ts';
import { buildOnce } from './built-package.ts';
import { checkFinished } from './finished-package.ts';

/** A package that may be handed out. */
export interface PackageFile {
  path: string;
  version: string;
  /** Of its content, in hex. */
  sha256: string;
}

type Needs = Pick<Context, 'config' | 'log'>;

/**
 * The package that the settings say, checked or built when it is asked for first; null where they
 * say none. Throws InstallerError with what is wrong with them, which may name paths.
 */
export async function findPackage(context: Needs): Promise<PackageFile | null> {
  const { installer } = context.config;
  if (!installer) return null;
  return 'app' in installer ? buildOnce(context, installer) : checkFinished(context, installer);
}
