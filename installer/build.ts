import { basename, join } from 'node:path';
import { writeBom } from './bom/write-bom.ts';
import { type Bundle, requireOutside, readBundle } from './bundle/read-bundle.ts';
import { InstallerError, type ProgressReporter } from './installer-error.ts';
import { writeAtomically } from './output-file.ts';
import { contentSize, type PackageEntry } from './package-entry.ts';
import { packScripts } from './payload/gzip.ts';
import { writePayload } from './payload/write-payload.ts';
import { checkEntries, installKBytes } from './product/check-entries.ts';
import {
  architecturesOf,
  minimumSystem,
  writeDistribution,
  checkProduct,
  type Product,
} from './product/distribution.ts';
import { installedApp, latestChange, listInstalledEntries } from './product/layout.ts';
import { appPackageInfo } from './product/package-info.ts';
import { postinstall, preinstall } from './product/scripts.ts';
import type { PackageSigner } from './signing/package-signer.ts';
import { type ArchiveEntry, writeArchive } from './xar/write-archive.ts';

/** How a package is signed and notarized; without both, it is neither. */
export interface PackageSigning {
  signer?: PackageSigner | undefined;
  /**
   * Notarizes and staples the finished file in place.
   *
   * @throws InstallerError on failure
   */
  notarize?: ((file: string, log: ProgressReporter['log']) => Promise<void>) | undefined;
}

export interface BuildOptions extends PackageSigning {
  /** The app bundle, `X.app`. */
  app: string;
  /** The output file, which is written completely or not at all. */
  out: string;
  product: Product;
  report: ProgressReporter;
}

/**
 * Packs an app and its background item into a product archive. Without signatures, the output
 * depends only on the content, names, modes and modification times in the bundle.
 *
 * @throws InstallerError
 */
export async function buildPackage(options: BuildOptions): Promise<void> {
  const { app, out, product, report } = options;
  checkProduct(product);
  await requireOutside(out, app);
  report.log(`reading ${app}`);
  const bundle = await readBundle(app);
  compareWithProduct(bundle, product, report);
  const entries = listInstalledEntries(bundle, product.bundleId);
  checkEntries(entries);
  await writeAtomically(out, async (folder) => {
    const file = join(folder, basename(out));
    const component = await packComponent(join(folder, 'payload.part'), bundle, entries, options);
    report.log(options.signer ? 'signing' : 'writing the package');
    await writeArchive(file, {
      entries: [
        { name: 'Distribution', content: distribution(bundle, entries, product) },
        component,
      ],
      createdAt: latestChange(bundle) * 1000,
      signer: options.signer,
    });
    await options.notarize?.(file, report.log);
    return file;
  });
}

function compareWithProduct(
  { name, info }: Bundle,
  product: Product,
  report: ProgressReporter,
): void {
  const { CFBundleIdentifier: id, CFBundleShortVersionString: version } = info;
  if (id !== product.bundleId)
    throw new InstallerError(`${name}: its bundle id is ${id}, expected ${product.bundleId}`);
  if (version !== product.version)
    report.log(
      `note: the version of ${name} is ${version}, that of the package ${product.version}`,
    );
}

async function packComponent(
  payloadFile: string,
  bundle: Bundle,
  entries: readonly PackageEntry[],
  { product, report }: BuildOptions,
): Promise<ArchiveEntry> {
  const total = entries.reduce((sum, entry) => sum + contentSize(entry), 0);
  report.log(`packing ${entries.length} files and folders, ${total} bytes`);
  const payload = await writePayload(payloadFile, entries, (done) => report.advance(done, total));
  const { bundleId } = product;
  const scripts = { preinstall: preinstall(bundleId), postinstall: postinstall(bundleId) };
  return {
    name: `${bundleId}.pkg`,
    entries: [
      { name: 'Bom', content: writeBom(entries, payload.facts) },
      { name: 'PackageInfo', content: packageInfo(bundle, entries, product) },
      { name: 'Payload', content: payload.stored },
      {
        name: 'Scripts',
        content: await packScripts(scripts, latestChange(bundle)),
        compressed: true,
      },
    ],
  };
}

const packageInfo = (bundle: Bundle, entries: readonly PackageEntry[], product: Product): Buffer =>
  Buffer.from(
    appPackageInfo({
      identifier: product.bundleId,
      version: product.version,
      appPath: `./${installedApp(bundle)}`,
      info: bundle.info,
      numberOfFiles: entries.length,
      installKBytes: installKBytes(entries),
    }),
  );

const distribution = (bundle: Bundle, entries: readonly PackageEntry[], product: Product): Buffer =>
  Buffer.from(
    writeDistribution({
      ...product,
      title: product.appName,
      component: product.bundleId,
      componentFolder: `${product.bundleId}.pkg`,
      installKBytes: installKBytes(entries),
      architectures: architecturesOf(bundle.program),
      minimumSystem: minimumSystem(bundle.info.LSMinimumSystemVersion),
    }),
  );
