import { InstallerError } from '../installer-error.ts';

const MAX_NAME_LENGTH = 255;
/** PATH_MAX of macOS, including the terminating NUL. */
const MAX_PATH_LENGTH = 1023;

/**
 * Checks paths that are relative to the package, `./…`.
 *
 * @throws InstallerError for paths that are invalid on a Mac: too long, or two that differ only in
 * case or Unicode normalization, which macOS file systems treat as equal
 */
export function checkNames(paths: readonly string[]): void {
  const byFoldedName = new Map<string, string>();
  for (const path of paths) {
    checkLength(path);
    const key = path.normalize('NFD').toLowerCase();
    const other = byFoldedName.get(key);
    if (other !== undefined)
      throw new InstallerError(
        `${other} and ${path}: the same name on a case-insensitive Mac volume`,
      );
    byFoldedName.set(key, path);
  }
}

function checkLength(path: string): void {
  // A UTF-16 unit takes at most three bytes of UTF-8: this check suffices for most paths.
  if (path.length * 3 <= MAX_NAME_LENGTH) return;
  const longest = Math.max(...path.split('/').map((name) => Buffer.byteLength(name)));
  if (longest > MAX_NAME_LENGTH)
    throw new InstallerError(
      `${path}: the name has ${longest} bytes, macOS allows ${MAX_NAME_LENGTH}`,
    );
  const bytes = Buffer.byteLength(path) - 1;
  if (bytes > MAX_PATH_LENGTH)
    throw new InstallerError(
      `${path}: the path has ${bytes} bytes, macOS allows ${MAX_PATH_LENGTH}`,
    );
}
