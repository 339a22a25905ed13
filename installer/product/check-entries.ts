import { MOST_BYTES } from '../bom/write-bom.ts';
import { checkNames } from '../bundle/check-names.ts';
import { MOST_ENTRIES } from '../cpio/odc.ts';
import { InstallerError } from '../installer-error.ts';
import { contentSize, type PackageEntry } from '../package-entry.ts';

/**
 * Throws InstallerError if a package cannot hold the entries. cpio supports files of 8 GiB; the
 * Bom, whose sizes and sums have 32 bits, 4 GiB in total.
 */
export function checkEntries(entries: readonly PackageEntry[]): void {
  if (entries.length > MOST_ENTRIES)
    throw new InstallerError(
      `${entries.length} files and folders: a package takes ${MOST_ENTRIES}`,
    );
  const large = entries.find((entry) => contentSize(entry) > MOST_BYTES);
  if (large)
    throw new InstallerError(
      `${large.path}: ${contentSize(large)} bytes, a package takes files of ${MOST_BYTES}`,
    );
  const total = entries.reduce((sum, entry) => sum + contentSize(entry), 0);
  if (total > MOST_BYTES)
    throw new InstallerError(`${total} bytes of content: a package takes ${MOST_BYTES}`);
  checkNames(entries.map(({ path }) => path));
}

/** The size that Installer shows: every file rounded up to whole kilobytes. */
export const installKBytes = (entries: readonly PackageEntry[]): number =>
  entries.reduce((sum, entry) => sum + Math.ceil(contentSize(entry) / 1024), 0);
