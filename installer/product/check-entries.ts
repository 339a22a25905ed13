import { MAX_BYTES } from '../bom/write-bom.ts';
import { checkNames } from '../bundle/check-names.ts';
import { MAX_ENTRIES } from '../cpio-odc.ts';
import { InstallerError } from '../installer-error.ts';
import { contentSize, type PackageEntry } from '../package-entry.ts';

/**
 * Checks the size limits of the formats. cpio supports files of up to 8 GiB. The Bom, whose sizes
 * and sums have 32 bits, supports 4 GiB in total.
 *
 * @throws InstallerError if a package cannot hold the entries
 */
export function checkEntries(entries: readonly PackageEntry[]): void {
  if (entries.length > MAX_ENTRIES)
    throw new InstallerError(
      `${entries.length} files and folders: a package can contain ${MAX_ENTRIES}`,
    );
  const large = entries.find((entry) => contentSize(entry) > MAX_BYTES);
  if (large)
    throw new InstallerError(
      `${large.path}: ${contentSize(large)} bytes, a file in a package can have ${MAX_BYTES}`,
    );
  const total = entries.reduce((sum, entry) => sum + contentSize(entry), 0);
  if (total > MAX_BYTES)
    throw new InstallerError(`${total} bytes of content: a package can contain ${MAX_BYTES}`);
  checkNames(entries.map(({ path }) => path));
}

/** The size that Installer shows, for which every file is rounded up to whole kilobytes. */
export const installKBytes = (entries: readonly PackageEntry[]): number =>
  entries.reduce((sum, entry) => sum + Math.ceil(contentSize(entry) / 1024), 0);
