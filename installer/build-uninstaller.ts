import { basename, join } from 'node:path';
import type { PackageSigning } from './build.ts';
import { writeAtomically } from './output-file.ts';
import { packScripts } from './payload/gzip.ts';
import {
  architecturesOf,
  OLDEST_SYSTEM,
  writeDistribution,
  checkProduct,
  type Product,
} from './product/distribution.ts';
import { scriptPackageInfo } from './product/package-info.ts';
import { uninstall } from './product/uninstall-script.ts';
import type { ProgressReporter } from './installer-error.ts';
import { writeArchive } from './xar/write-archive.ts';

export interface UninstallerOptions extends PackageSigning {
  /** The output file, which is written completely or not at all. */
  out: string;
  product: Product;
  report: ProgressReporter;
}

/** A constant timestamp, in seconds: the first day of 1980, the earliest that archivers support. */
const BUILD_TIMESTAMP = 315_532_800;

/**
 * Builds a package that installs nothing and removes the app, its background item, its state and
 * its receipt. The output is deterministic except for signatures.
 *
 * @throws InstallerError
 */
export async function buildUninstaller(options: UninstallerOptions): Promise<void> {
  const { out, product, report, signer, notarize } = options;
  checkProduct(product);
  const { bundleId, appName, version } = product;
  const component = `${bundleId}.uninstaller`;
  const scripts = { postinstall: uninstall(bundleId, appName) };
  const distribution = writeDistribution({
    ...product,
    title: `Remove ${appName}`,
    component,
    componentFolder: `${component}.pkg`,
    installKBytes: 0,
    architectures: architecturesOf(null),
    minimumSystem: OLDEST_SYSTEM,
  });
  const parts = [
    { name: 'PackageInfo', content: Buffer.from(scriptPackageInfo(component, version)) },
    { name: 'Scripts', content: await packScripts(scripts, BUILD_TIMESTAMP), compressed: true },
  ];
  await writeAtomically(out, async (folder) => {
    const file = join(folder, basename(out));
    report.log(signer ? 'signing' : 'writing the package');
    const entries = [
      { name: 'Distribution', content: Buffer.from(distribution) },
      { name: `${component}.pkg`, entries: parts },
    ];
    await writeArchive(file, { entries, createdAt: BUILD_TIMESTAMP * 1000, signer });
    await notarize?.(file, report.log);
    return file;
  });
}
