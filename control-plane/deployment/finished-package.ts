import { z } from 'zod';
import { InstallerError } from '#installer/installer-error.ts';
import type { Config, InstallerSettings } from '../config.ts';
import { digestOf, stampOf } from './file-facts.ts';
import type { PackageFile } from './package-file.ts';
import { runInstaller } from './run-installer.ts';

type Finished = Extract<InstallerSettings, { package: string }>;

const inspection = z.object({
  product: z.object({ identifier: z.string().nullable(), version: z.string().nullable() }),
});

const checked = new Map<string, Promise<PackageFile>>();

/** Checks a package provided by IT; repeated only when the file changes. */
export async function checkFinished(
  { config }: { config: Config },
  settings: Finished,
): Promise<PackageFile> {
  const stamp = await stampOf(settings.package).catch((error: Error) => {
    throw new InstallerError(error.message, { cause: error });
  });
  const key = [stamp, settings.package, settings.trust].join('\0');
  const check = checked.get(key) ?? inspect(config, settings, stamp);
  checked.set(key, check);
  // The cause of a failure may be fixed without a change of this file.
  check.catch(() => checked.delete(key));
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
  return { path, version, sha256: await digestOf(path), stamp };
}
