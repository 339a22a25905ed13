import { InstallerError } from '../installer-error.ts';

const LONGEST_NAME = 255;
/** PATH_MAX of macOS, including the terminating NUL. */
const LONGEST_PATH = 1023;

/**
 * Throws InstallerError for paths that are invalid on a Mac: too long, or two that differ only in
 * case or Unicode normalization, which macOS file systems treat as equal. Paths are relative to the
 * package, `./…`.
 */
export function checkNames(paths: readonly string[]): void {
  const byFoldedName = new Map<string, string>();
  for (const path of paths) {
    checkLength(path);
    const key = path.normalize('NFD').toLowerCase();
    const other = byFoldedName.get(key);
    if (other !== undefined)
      throw new InstallerError(`${other} and ${path}: one name on a Mac, which ignores case`);
    byFoldedName.set(key, path);
  }
}

function checkLength(path: string): void {
  // A UTF-16 unit takes at most three bytes of UTF-8: this check suffices for most paths.
  if (path.length * 3 <= LONGEST_NAME) return;
  const longest = Math.max(...path.split('/').map((name) => Buffer.byteLength(name)));
  if (longest > LONGEST_NAME)
    throw new InstallerError(`${path}: a name of ${longest} bytes, a Mac takes ${LONGEST_NAME}`);
  const bytes = Buffer.byteLength(path) - 1;
  if (bytes > LONGEST_PATH)
    throw new InstallerError(`${path}: a path of ${bytes} bytes, a Mac takes ${LONGEST_PATH}`);
}
