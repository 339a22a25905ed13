import { InstallerError } from '../../installer-error.ts';

/**
 * Validates an install path, as `.` or `./a/b`. Throws InstallerError if it is absolute or could
 * leave the install location.
 */
export function checkPath(path: string): string {
  if (path === '.') return path;
  if (path.startsWith('/')) throw new InstallerError(`${path}: an absolute path`);
  const names = path.startsWith('./') ? path.slice(2).split('/') : path.split('/');
  if (names.some((name) => name === '' || name === '.' || name === '..'))
    throw new InstallerError(`${path}: a path that leads elsewhere`);
  return `./${names.join('/')}`;
}
