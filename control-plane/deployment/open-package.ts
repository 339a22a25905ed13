import { z } from 'zod';
import { InstallerError } from '#installer/installer-error.ts';
import type { Config, InstallerSettings } from '../config.ts';
import { sha256OfFile, stampOf, stampOfOpenFile } from './file-facts.ts';
import type { PackageCache, PackageFile } from './package-file.ts';
import { runInstaller } from './run-installer.ts';
import { type FileHandle, open } from 'node:fs/promises';
import type { Context } from '../context.ts';
import { buildOnce } from './built-package.ts';

export interface OpenPackage extends PackageFile {
  /** Must be closed by the caller. */
  file: FileHandle;
  bytes: number;
}

type Needs = Pick<Context, 'config' | 'log' | 'packages'>;

const TRIES = 3;

/**
 * Opens the configured package, which is checked or built on the first request; returns null if
 * none is configured. The open file is the verified one, even if its path is replaced.
 *
 * @throws InstallerError for invalid settings, with a message that may contain paths
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

/** Opens a verified package; returns null if the file is missing or has changed since. */
async function openVerified(candidate: PackageFile): Promise<OpenPackage | null> {
  const file = await open(candidate.path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new InstallerError(error.message, { cause: error });
  });
  if (!file) return null;
  const [stamp, { size }] = await Promise.all([stampOfOpenFile(file), file.stat()]);
  if (stamp === candidate.stamp) return { ...candidate, file, bytes: size };
  await file.close();
  return null;
}

type Finished = Extract<InstallerSettings, { package: string }>;

const inspection = z.object({
  product: z.object({ identifier: z.string().nullable(), version: z.string().nullable() }),
});

/** Checks a package that IT provides. The check is repeated only when the file changes. */
export async function checkFinished(
  { config, packages }: { config: Config; packages: PackageCache },
  settings: Finished,
): Promise<PackageFile> {
  const stamp = await stampOf(settings.package).catch((error: Error) => {
    throw new InstallerError(error.message, { cause: error });
  });
  const key = [stamp, settings.package, settings.trust].join('\0');
  const check = packages.get(key) ?? inspect(config, settings, stamp);
  packages.set(key, check);
  // The cause of a failure may be fixed without a change of this file.
  check.catch(() => packages.delete(key));
  return check;
}

async function inspect(config: Config, settings: Finished, stamp: string): Promise<PackageFile> {
  const { package: path, trust } = settings;
  const trusting = trust ? ['--trust', trust] : [];
  const args = ['inspect', path, '--json', '--allow-unsigned', ...trusting];
  const report = inspection.safeParse(JSON.parse(await runInstaller(config, args)));
  const product = report.data?.product;
  if (!product?.version) throw new InstallerError(`${path}: its Distribution file has no version`);
  const { identifier, version } = product;
  const { bundleId } = config.app;
  if (identifier !== bundleId)
    throw new InstallerError(`${path}: installs ${identifier}, expected ${bundleId}`);
  return { path, version, sha256: await sha256OfFile(path), stamp };
}
