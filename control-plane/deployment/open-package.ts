import { type FileHandle, open } from 'node:fs/promises';
import { InstallerError } from '#installer/installer-error.ts';
import type { Context } from '../context.ts';
import { buildOnce } from './built-package.ts';
import { stampOfOpen } from './file-facts.ts';
import { checkFinished } from './finished-package.ts';
import type { PackageFile } from './package-file.ts';

export interface OpenPackage extends PackageFile {
  /** The caller closes it. */
  file: FileHandle;
  bytes: number;
}

type Needs = Pick<Context, 'config' | 'log'>;

const TRIES = 3;

/**
 * The package that the settings say, open, checked or built when it is asked for first; null where
 * they say none. What is open is what was verified, whatever happens at its path. Throws
 * InstallerError with what is wrong with the settings, which may name paths.
 */
export async function openPackage(context: Needs): Promise<OpenPackage | null> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const found = await findPackage(context);
    if (!found) return null;
    const opened = await openVerified(found);
    if (opened) return opened;
  }
  throw new InstallerError('the installer package is another one each time it is looked at');
}

async function findPackage(context: Needs): Promise<PackageFile | null> {
  const { installer } = context.config;
  if (!installer) return null;
  return 'app' in installer ? buildOnce(context, installer) : checkFinished(context, installer);
}

/** Null if it is gone or another since it was verified. */
async function openVerified(found: PackageFile): Promise<OpenPackage | null> {
  const file = await open(found.path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return null;
    throw new InstallerError(cause.message, { cause });
  });
  if (!file) return null;
  const [stamp, { size }] = await Promise.all([stampOfOpen(file), file.stat()]);
  if (stamp === found.stamp) return { ...found, file, bytes: size };
  await file.close();
  return null;
}
