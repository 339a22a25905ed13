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
 * Opens the configured package, checked or built on the first request; null if none is configured.
 * The open file is the verified one, even if its path is replaced. Throws InstallerError for
 * invalid settings, with a message that may contain paths.
 */
export async function openPackage(context: Needs): Promise<OpenPackage | null> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const candidate = await findPackage(context);
    if (!candidate) return null;
    const opened = await openVerified(candidate);
    if (opened) return opened;
  }
  throw new InstallerError('the installer package keeps changing');
}

async function findPackage(context: Needs): Promise<PackageFile | null> {
  const { installer } = context.config;
  if (!installer) return null;
  return 'app' in installer ? buildOnce(context, installer) : checkFinished(context, installer);
}

/** Null if the file is missing or changed since it was verified. */
async function openVerified(candidate: PackageFile): Promise<OpenPackage | null> {
  const file = await open(candidate.path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return null;
    throw new InstallerError(cause.message, { cause });
  });
  if (!file) return null;
  const [stamp, { size }] = await Promise.all([stampOfOpen(file), file.stat()]);
  if (stamp === candidate.stamp) return { ...candidate, file, bytes: size };
  await file.close();
  return null;
}
