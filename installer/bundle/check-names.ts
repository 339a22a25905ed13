import { InstallerError } from '../installer-error.ts';

const LONGEST_NAME = 255;
/** PATH_MAX of macOS, which counts the NUL at the end. */
const LONGEST_PATH = 1023;

/**
 * Throws InstallerError for paths that a Mac cannot have: too long, or two that differ only in case
 * or in how an accent is written, which the file system of macOS takes for one. Paths are those of
 * the package, `./…`.
 */
export function checkNames(paths: readonly string[]): void {
  const taken = new Map<string, string>();
  for (const path of paths) {
    checkLength(path);
    const key = path.normalize('NFD').toLowerCase();
    const other = taken.get(key);
    if (other !== undefined)
      throw new InstallerError(`${other} and ${path}: one name on a Mac, which ignores case`);
    taken.set(key, path);
  }
}

function checkLength(path: string): void {
  // No character takes more than three bytes for each of its UTF-16 units: most paths end here.
  if (path.length * 3 <= LONGEST_NAME) return;
  const longest = Math.max(...path.split('/').map((name) => Buffer.byteLength(name)));
  if (longest > LONGEST_NAME)
    throw new InstallerError(`${path}: a name of ${longest} bytes, a Mac takes ${LONGEST_NAME}`);
  const bytes = Buffer.byteLength(path) - 1;
  if (bytes > LONGEST_PATH)
    throw new InstallerError(`${path}: a path of ${bytes} bytes, a Mac takes ${LONGEST_PATH}`);
}
